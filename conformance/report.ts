import { styleText } from 'node:util';
import { printable, wrap } from '../scripts/cli/text';
import { endpoints } from '../src/api/endpoints';
import type { CheckResult } from './checks/check';
import { sourceOf } from './contract/source';

const ofOutcome = (rows: readonly CheckResult[], outcome: CheckResult['outcome']): CheckResult[] =>
  rows.filter((row) => row.outcome === outcome);

/** Returns where to edit the contract: a place in the text of a difference, or the endpoint that the check is about. */
const placeToEdit = ({ check, detail }: CheckResult): string => {
  const [name = ''] = check.split(',');
  if (/src\/api\/\w+\.ts/.test(detail)) return '';
  return Object.hasOwn(endpoints, name) ? sourceOf(name) : ' (src/api)';
};

const formatDifference = (row: CheckResult): string[] => [
  styleText('red', `✗ ${row.check} (${row.basis})`),
  ...`${row.detail}${placeToEdit(row)}`.split('; ').map((each) => wrap(printable(each), { column: 4 })),
];

const formatRow = (mark: string, { check, detail }: CheckResult): string =>
  `${mark} ${wrap(printable(detail), { label: check, indent: 2, column: 46 })}`;

/** Returns in one line which checks need an option, grouped by what to do. */
const formatNotAsked = (rows: readonly CheckResult[]): string => {
  const byAdvice = Map.groupBy(rows, ({ detail }) => detail);
  const groups = [...byAdvice].map(([advice, each]) => {
    const [first] = each;
    return `${each.length === 1 ? first?.check : `${each.length} checks`} (${printable(advice)})`;
  });
  return `Not asked for: ${groups.join(', ')}`;
};

/** Returns how many checks had each outcome, in one sentence. */
const summarize = (rows: readonly CheckResult[]): string => {
  const count = (outcome: CheckResult['outcome']): number => ofOutcome(rows, outcome).length;
  const text = `${count('held')} held, ${count('differs')} differ, ${count('not checked')} couldn't be checked, ${count('not asked')} not asked for.`;
  return styleText('bold', text);
};

/** Formats the results for the terminal: first what differs and the place to edit, last the summary. */
export const formatReport = (rows: readonly CheckResult[], recordings: string): string => {
  const notAsked = ofOutcome(rows, 'not asked');
  return [
    ...ofOutcome(rows, 'differs').flatMap(formatDifference),
    ...ofOutcome(rows, 'not checked').map((row) => formatRow(styleText('yellow', '?'), row)),
    ...ofOutcome(rows, 'held').map((row) => formatRow(styleText('green', '✓'), row)),
    ...(notAsked.length > 0 ? [formatNotAsked(notAsked)] : []),
    '',
    summarize(rows),
    `The responses are in ${recordings}, without personal data.`,
  ].join('\n');
};
