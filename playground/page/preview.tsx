interface PreviewProps {
  /** The key of the field. */
  field: string;
  /** What the field would have. Undefined when it maps nothing. */
  text: string | undefined;
  /** Whether it replaces the one on the page, which shows what was entered before. */
  isUpdate?: boolean;
}

/** The value that a run with the data of the steps before would have. */
export const Preview = ({ field, text, isUpdate = false }: PreviewProps) => (
  <p id={`preview-${field}`} class="preview" {...(isUpdate && { 'hx-swap-oob': 'true' })}>
    {text !== undefined && (
      <>
        <span>Would be:</span> {text === '' ? <em>empty</em> : <span dir="auto">{text}</span>}
      </>
    )}
  </p>
);
