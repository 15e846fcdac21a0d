const lineWidth = 100;

interface Layout {
  /** The text before the first line. */
  label?: string;
  /** The number of spaces that the caller writes before the label. */
  indent?: number;
  /** The column, after the indent, at which each line starts. */
  column?: number;
}

/** Breaks a text into lines of at most 100 columns, all of which start at the same column. */
export const wrap = (text: string, { label = '', indent = 0, column = 0 }: Layout = {}): string => {
  const width = lineWidth - indent - column;
  const lines = text.replace(/\s+/g, ' ').match(new RegExp(`\\S.{0,${width - 1}}(?=\\s|$)|\\S{${width}}`, 'g')) ?? [];
  const start = label.length < column ? label.padEnd(column) : label && `${label} `;
  return start + lines.join(`\n${' '.repeat(indent + column)}`);
};

/** Removes control characters, which a service could use to write over the terminal. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
