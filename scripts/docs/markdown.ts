/** The Markdown that the documents are made of. */

/** Returns the parts with empty lines between them. Leaves out empty ones. */
export const blocks = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join('\n\n');

/** Returns a whole file. */
export const page = (...parts: string[]): string => `${blocks(...parts)}\n`;

/** Returns a bulleted list. */
export const bullets = (items: string[]): string => items.map((item) => `- ${item}`).join('\n');

/** Returns a text as inline code. */
export const code = (text: string): string => `\`${text}\``;

/** Returns the texts as code, separated by commas. */
export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');

/** Returns the address of a heading on the same page, as GitHub forms it. */
export const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')}`;

/** Returns a link to a heading, on the same page or in another file. */
export const linkTo = (heading: string, file = ''): string => `[${heading}](${file}${anchor(heading)})`;

const cell = (text: string): string => text.replace(/\s*\n\s*/g, '<br>').replaceAll('|', '\\|');

/** Returns a table with padded columns, as the formatter writes it. */
export const table = (head: string[], rows: string[][]): string => {
  const lines = [head, ...rows].map((cells) => cells.map(cell));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const even = (cells: string[], filler = ' '): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, filler)).join(' | ')} |`;
  const [first = [], ...others] = lines;
  return [even(first), even([], '-'), ...others.map((cells) => even(cells))].join('\n');
};
