import type { FieldPreview } from '../service/message-preview';

interface PreviewProps {
  /** The key of the field. */
  field: string;
  /** What the field would have. Undefined when it maps nothing and has no problem. */
  preview: FieldPreview | undefined;
  /** Whether it replaces the one on the page, which shows what was entered before. */
  isUpdate?: boolean;
}

/** The value that a run with the data of the steps before would have, or why the run would refuse it. */
export const Preview = ({ field, preview: { text, problem } = {}, isUpdate = false }: PreviewProps) => (
  <p id={`preview-${field}`} class="preview" {...(isUpdate && { 'hx-swap-oob': 'true' })}>
    {problem && (
      <span class="problem" dir="auto">
        {problem}
      </span>
    )}
    {!problem && text !== undefined && (
      <>
        <span>Sends</span> {text === '' ? <em>empty</em> : <span dir="auto">{text}</span>}
      </>
    )}
  </p>
);
