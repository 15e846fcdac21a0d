import type { Row } from './checks/check';

const columns = ['check', 'basis', 'outcome', 'how'] as const;

/** Removes control characters, which a service could use to write over the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');

/** Formats the rows as a table with a header for the terminal. */
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

/** Returns how many checks had each outcome, in one sentence. */
export const summarize = (rows: readonly Row[]): string => {
  const count = (outcome: Row['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  return `${count('held')} held, ${count('differs')} differ, ${count('not checked')} couldn't be checked, ${count('not asked')} not asked for.`;
};
