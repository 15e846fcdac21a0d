import { styleText } from 'node:util';
import { printable, wrap } from '../cli/text';
import type { CheckResult } from './checks/check';
import { placeOf, placePattern, withoutPlace } from './compare/place';
import { type Untried, untriedIn } from './proofs';

/** One difference, in all the checks that found it. */
interface Difference {
  text: string;
  checks: string[];
  /** Where to edit the contract. */
  places: string[];
}

/** Returns where to edit the contract: the place in the text of a difference, or the endpoint that the check is about. */
const placeOfDifference = (check: string, difference: string): string => {
  const [name = ''] = check.split(',');
  const known = placePattern.exec(difference) ?? placePattern.exec(placeOf(name));
  return known?.[1] ?? 'src/api';
};

const readDifferences = (rows: readonly CheckResult[]): Difference[] => {
  const all = rows.flatMap(({ check, differences }) =>
    differences.map((each) => ({ check, text: withoutPlace(each), place: placeOfDifference(check, each) })),
  );
  return [...Map.groupBy(all, ({ text }) => text)].map(([text, same]) => ({
    text,
    checks: [...new Set(same.map(({ check }) => check))],
    places: [...new Set(same.map(({ place }) => place))],
  }));
};

const maxChecks = 3;

const nameChecks = (checks: readonly string[]): string => {
  const more = checks.length - maxChecks;
  return more > 1 ? `${checks.slice(0, maxChecks).join('; ')}; and ${more} more` : checks.join('; ');
};

/** Formats differences by their cause: what to edit in one place, or what several places have in common. */
const formatDifferences = (rows: readonly CheckResult[], mark: string): string[] => {
  const byCause = Map.groupBy(readDifferences(rows), ({ text, places }) =>
    places.length === 1 ? (places[0] ?? '') : text,
  );
  return [...byCause].flatMap(([cause, differences]) => [
    `${mark} ${printable(cause)}`,
    ...differences.flatMap(({ text, checks }) => [
      ...(text === cause ? [] : [wrap(printable(text), { indent: 2, column: 4 })]),
      wrap(printable(nameChecks(checks)), { indent: 4, column: 6 }),
    ]),
  ]);
};

const formatRow = (mark: string, { check, detail }: CheckResult): string =>
  `${mark} ${wrap(printable(detail), { label: check, indent: 2, column: 46 })}`;

/** Returns in one line which checks were skipped, grouped by what they need: an option, or data in the workspace. */
const formatSkipped = (rows: readonly CheckResult[]): string[] => {
  const groups = [...Map.groupBy(rows, ({ detail }) => detail)].map(([advice, [first, ...others]]) => {
    return `${others.length === 0 ? first?.check : `${others.length + 1} checks`} (${printable(advice)})`;
  });
  return rows.length > 0 ? [`Skipped, and not counted in the exit status: ${groups.join(', ')}`] : [];
};

/** Returns what a run hasn't tried, in a line for what counts and one for what somebody accepts. */
const formatUntried = ({ open, accepted }: Untried): string[] => [
  ...(open.length > 0
    ? [
        styleText('yellow', `Not tried, so not proven: ${open.join('; ')}.`),
        'Try it with --write, --to and --callback-url, or accept it by its first word, such as --accept sending,keys.',
      ]
    : []),
  ...(accepted.length > 0 ? [`Accepted without a proof: ${accepted.join('; ')}.`] : []),
];

/** Returns how many checks had each outcome, in one sentence. */
const summarize = (rows: readonly CheckResult[]): string => {
  const count = (outcome: CheckResult['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  const other = (outcome: CheckResult['outcome'], words: string): string =>
    count(outcome) > 0 ? `, ${count(outcome)} ${words}` : '';
  const differ = `${count('differs')} differ${other('copes', 'differ but the app copes')}${other('accepted', 'accepted')}`;
  const open = `${count('not checked')} couldn't be checked, ${count('skipped')} skipped`;
  return styleText('bold', `${count('passed')} passed, ${differ}, ${open}${other('missing', 'declared missing')}.`);
};

/** Formats the results for the terminal: first what differs and the place to edit, last the summary. */
export const formatReport = (
  rows: readonly CheckResult[],
  recordings: string,
  untried: Untried = untriedIn(rows),
): string => {
  const having = (outcome: CheckResult['outcome']) => rows.filter((row) => row.outcome === outcome);
  const rowsOf = (outcome: CheckResult['outcome'], mark: string) => having(outcome).map((row) => formatRow(mark, row));
  return [
    ...formatDifferences(having('differs'), styleText('red', '✗')),
    ...formatDifferences(having('copes'), styleText('yellow', '~ the app copes:')),
    ...rowsOf('not checked', styleText('yellow', '?')),
    ...rowsOf('passed', styleText('green', '✓')),
    ...rowsOf('accepted', '!'),
    ...rowsOf('missing', '-'),
    ...formatSkipped(having('skipped')),
    '',
    summarize(rows),
    ...formatUntried(untried),
    `The responses are in ${recordings}, without personal data.`,
  ].join('\n');
};

/** Formats which steps the app has with this contract, and why others are gone. */
export const formatSteps = (left: readonly string[], gone: readonly { key: string; lacks: readonly string[] }[]) =>
  [
    `\nThe app has ${left.length} steps: ${left.join(', ')}.`,
    ...gone.map(({ key, lacks }) => `${key} is gone, because the service lacks ${lacks.join(', ')}.`),
  ].join('\n');
