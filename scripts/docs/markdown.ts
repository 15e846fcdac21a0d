/** The Markdown that the documents are made of. */

/** Returns the parts with empty lines between them. Leaves out empty ones. */
export const blocks = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join('\n\n');

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

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** Returns a table. */
export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => row(cells.map(cell))).join('\n');

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((text) => text.trim());

const align = (lines: string): string => {
  const [head = [], , ...rows] = lines.split('\n').map(cellsOf);
  const widths = head.map((_, column) =>
    // The last column may end anywhere, because its cells are the longest.
    column === head.length - 1 ? 3 : Math.max(3, ...[head, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const pad = (cells: string[], filler = ' '): string =>
    row(widths.map((width, column) => (cells[column] ?? '').padEnd(width, filler)));
  return [pad(head), pad([], '-'), ...rows.map((cells) => pad(cells))].join('\n');
};

/** Returns a document whose tables have columns of even width, except the last. */
export const alignTables = (text: string): string => text.replace(/^\|.*(?:\n\|.*)+$/gm, align);
