import { styleText } from 'node:util';
import { printable, wrap } from '../cli/text';
import type { CheckResult } from './checks/check';
import { placeOf, placePattern, withoutPlace } from './compare/place';
import { type Untried, untriedIn } from './proofs';

const ofOutcome = (rows: readonly CheckResult[], outcome: CheckResult['outcome']): CheckResult[] =>
  rows.filter((row) => row.outcome === outcome);

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
const formatSkipped = (rows: readonly CheckResult[]): string => {
  const byAdvice = Map.groupBy(rows, ({ detail }) => detail);
  const groups = [...byAdvice].map(([advice, each]) => {
    const [first] = each;
    return `${each.length === 1 ? first?.check : `${each.length} checks`} (${printable(advice)})`;
  });
  return `Skipped, and not counted in the exit status: ${groups.join(', ')}`;
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
  const count = (outcome: CheckResult['outcome']): number => ofOutcome(rows, outcome).length;
  const copes = count('copes') > 0 ? `, ${count('copes')} differ but the app copes` : '';
  const accepted = count('accepted') > 0 ? `, ${count('accepted')} accepted` : '';
  const missing = count('missing') > 0 ? `, ${count('missing')} declared missing` : '';
  const text = `${count('passed')} passed, ${count('differs')} differ${copes}${accepted}, ${count('not checked')} couldn't be checked, ${count('skipped')} skipped${missing}.`;
  return styleText('bold', text);
};

/** Formats the results for the terminal: first what differs and the place to edit, last the summary. */
export const formatReport = (
  rows: readonly CheckResult[],
  recordings: string,
  untried: Untried = untriedIn(rows),
): string => {
  const skipped = ofOutcome(rows, 'skipped');
  return [
    ...formatDifferences(ofOutcome(rows, 'differs'), styleText('red', '✗')),
    ...formatDifferences(ofOutcome(rows, 'copes'), styleText('yellow', '~ the app copes:')),
    ...ofOutcome(rows, 'not checked').map((row) => formatRow(styleText('yellow', '?'), row)),
    ...ofOutcome(rows, 'passed').map((row) => formatRow(styleText('green', '✓'), row)),
    ...ofOutcome(rows, 'accepted').map((row) => formatRow('!', row)),
    ...ofOutcome(rows, 'missing').map((row) => formatRow('-', row)),
    ...(skipped.length > 0 ? [formatSkipped(skipped)] : []),
    '',
    summarize(rows),
    ...formatUntried(untried),
    `The responses are in ${recordings}, without personal data.`,
  ].join('\n');
};

/** Formats which steps the app has with this contract, and why others are gone. */
export const formatSteps = ({
  left,
  gone,
}: {
  left: readonly string[];
  gone: readonly { key: string; lacks: readonly string[] }[];
}): string =>
  [
    `\nThe app has ${left.length} steps: ${left.join(', ')}.`,
    ...gone.map(({ key, lacks }) => `${key} is gone, because the service lacks ${lacks.join(', ')}.`),
  ].join('\n');
