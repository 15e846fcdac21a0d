const cell = (text: string): string => text.replace(/\s*\n\s*/g, '<br>').replaceAll('|', '\\|');

/** Renders a Markdown table with padded columns, as the formatter does. */
export const table = (head: string[], rows: string[][]): string => {
  const lines = [head, ...rows].map((cells) => cells.map(cell));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const even = (cells: string[], filler: string): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, filler)).join(' | ')} |`;
  const [first = [], ...others] = lines;
  return [even(first, ' '), even([], '-'), ...others.map((cells) => even(cells, ' '))].join('\n');
};
