import type { Row } from './check';

const columns = ['check', 'basis', 'outcome', 'how'] as const;

/** The rows as a table for the terminal, under a line with the names of its columns. */
export const toTable = (rows: readonly Row[]): string => {
  const lines = [{ check: 'check', basis: 'basis', outcome: 'outcome', how: 'how' }, ...rows];
  const widths = columns.map((column) => Math.max(...lines.map((line) => line[column].length)));
  const pad = (text: string, index: number): string => text.padEnd(widths[index] ?? 0);
  return lines
    .map((line) =>
      columns
        .map((column, index) => pad(line[column], index))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** How many checks came out how, in one sentence. */
export const summarize = (rows: readonly Row[]): string => {
  const count = (outcome: Row['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  return `${count('held')} held, ${count('differs')} differ, ${count('not checked')} could not be checked, ${count('not asked')} were not asked for.`;
};
