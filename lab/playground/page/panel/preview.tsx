import type { FieldPreview } from '../../service/message-preview';

interface PreviewProps {
  /** The key of the field. */
  field: string;
  /** What the field would have. Undefined when it maps nothing and has no problem. */
  preview: FieldPreview | undefined;
  /** Whether it replaces the one on the page, which shows what was entered before. */
  isUpdate?: boolean;
}

/** The field whose value is sent once only. */
const onceKey = 'deduplication_key';

/** The field of Formatter, which sends nothing. */
const inputKey = 'input';

const Sends = ({ field, preview: { text, number } }: { field: string; preview: FieldPreview }) => {
  if (number) {
    return (
      <>
        {field === 'to' ? 'Sends to' : 'Sends'} <strong dir="ltr">{number.text}</strong>
        {number.country && `, ${number.country}`}
      </>
    );
  }
  if (text === undefined) return null;
  if (field === onceKey && text !== '') {
    return (
      <>
        <span>Sent once for</span> <span dir="auto">{text}</span>
      </>
    );
  }
  return (
    <>
      <span>{field === inputKey ? 'Reads' : 'Sends'}</span>{' '}
      {text === '' ? <em>empty</em> : <span dir="auto">{text}</span>}
    </>
  );
};

/** The value that a run with the data of the steps before would have, or why the run would refuse it. */
export const Preview = ({ field, preview = {}, isUpdate = false }: PreviewProps) => (
  <p
    id={`preview-${field}`}
    class={/[.!?…]$/.test(preview.text ?? '') ? 'preview ended' : 'preview'}
    {...(isUpdate && { 'hx-swap-oob': 'true' })}
  >
    {preview.problem ? (
      <span class="problem" dir="auto">
        {preview.problem}
      </span>
    ) : (
      <Sends field={field} preview={preview} />
    )}
  </p>
);
