import type { Row } from './checks/check';

const columns = ['check', 'basis', 'outcome', 'how'] as const;

/** What a service writes must not move the cursor of the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');

/** The rows as a table for the terminal, under a line with the names of its columns. */
export const toTable = (rows: readonly Row[]): string => {
  const heading = { check: 'check', basis: 'basis', outcome: 'outcome', how: 'how' };
  const lines = [heading, ...rows].map((row) => columns.map((column) => printable(row[column])));
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
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
