import { styleText } from 'node:util';
import { printable, wrap } from '../scripts/cli/text';
import { endpoints } from '../src/api/endpoints';
import type { Row } from './checks/check';
import { sourceOf } from './contract/source';

const ofOutcome = (rows: readonly Row[], outcome: Row['outcome']): Row[] =>
  rows.filter((row) => row.outcome === outcome);

/** Returns where to edit the contract: a place in the text of a difference, or the endpoint that the check is about. */
const placeToEdit = ({ check, how }: Row): string => {
  const [name = ''] = check.split(',');
  if (/src\/api\/\w+\.ts/.test(how)) return '';
  return Object.hasOwn(endpoints, name) ? sourceOf(name) : ' (src/api)';
};

const formatDifference = (row: Row): string[] => [
  styleText('red', `✗ ${row.check} (${row.basis})`),
  ...`${row.how}${placeToEdit(row)}`.split('; ').map((each) => wrap(printable(each), { column: 4 })),
];

const formatRow = (mark: string, { check, how }: Row): string =>
  `${mark} ${wrap(printable(how), { label: check, indent: 2, column: 46 })}`;

/** Returns in one line which checks need an option, grouped by what to do. */
const formatNotAsked = (rows: readonly Row[]): string => {
  const byAdvice = Map.groupBy(rows, ({ how }) => how);
  const groups = [...byAdvice].map(([advice, each]) => {
    const [first] = each;
    return `${each.length === 1 ? first?.check : `${each.length} checks`} (${printable(advice)})`;
  });
  return `Not asked for: ${groups.join(', ')}`;
};

/** Returns how many checks had each outcome, in one sentence. */
const summarize = (rows: readonly Row[]): string => {
  const count = (outcome: Row['outcome']): number => ofOutcome(rows, outcome).length;
  const text = `${count('held')} held, ${count('differs')} differ, ${count('not checked')} couldn't be checked, ${count('not asked')} not asked for.`;
  return styleText('bold', text);
};

/** Formats the results for the terminal: first what differs and the place to edit, last the summary. */
export const formatReport = (rows: readonly Row[], recordings: string): string => {
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
