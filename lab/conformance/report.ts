import { styleText } from 'node:util';
import type { Part } from '../../src/api/endpoints';
import { exists } from '../../src/api/missing';
import { printable, wrap } from '../cli/text';
import type { CheckResult } from './check';

/** What harms people when it's assumed and wrong: by what it's accepted, the check that proves it, and what needs it. */
const proofs = [
  { name: 'sending', check: 'sendMessage', part: 'sendMessage', text: 'sending' },
  {
    name: 'keys',
    check: 'sendMessage, repeated with its key',
    part: 'sendMessage',
    text: 'keys, without which a lost response sends twice',
  },
  {
    name: 'consent',
    check: 'consent, written and read back',
    part: 'contact.consent',
    text: 'consent, without which an opt-out gets lost',
  },
  {
    name: 'opt-outs',
    check: 'sendMessage, to somebody who opted out',
    part: 'sendMessage',
    text: 'opt-outs, which an API may ignore unless it is asked not to',
  },
  { name: 'webhooks', check: 'createWebhook', part: 'createWebhook', text: 'webhooks' },
  { name: 'deliveries', check: 'a delivery, signed', part: 'createWebhook', text: 'deliveries and their signatures' },
] as const satisfies readonly { name: string; check: string; part: Part; text: string }[];

/** The name of something to prove, as people accept it. */
export type ProofName = (typeof proofs)[number]['name'];

/** The names of what can be accepted without a proof. */
export const proofNames = proofs.map(({ name }) => name);

/** What a run hasn't tried, as it says it: what counts, and what somebody accepts. */
export type Untried = Record<'open' | 'accepted', string[]>;

/** Returns what a run hasn't tried. `accepted` are the names that somebody accepts. */
export const untriedIn = (rows: readonly CheckResult[], accepted: readonly ProofName[] = []): Untried => {
  const skipped = rows.filter(({ outcome }) => outcome === 'skipped').map(({ check }) => check);
  const untried = proofs.filter(({ part, check }) => exists(part) && skipped.includes(check));
  const textsOf = (isAccepted: boolean): string[] =>
    untried.filter(({ name }) => accepted.includes(name) === isAccepted).map(({ text }) => text);
  return { open: textsOf(false), accepted: textsOf(true) };
};

const maxChecks = 3;

const nameChecks = (checks: readonly string[]): string => {
  const more = checks.length - maxChecks;
  return more > 1 ? `${checks.slice(0, maxChecks).join('; ')}; and ${more} more` : checks.join('; ');
};

/** Formats each difference once, with the checks that found it and what to do about it. */
const formatDifferences = (rows: readonly CheckResult[]): string[] => {
  const all = rows.flatMap(({ check, differences }) => differences.map((each) => ({ check, ...each })));
  return [...Map.groupBy(all, ({ text, todo }) => `${text}\n${todo}`).values()].map((same) => {
    const [{ text, todo } = { text: '', todo: '' }] = same;
    const checks = nameChecks([...new Set(same.map(({ check }) => check))]);
    const lines = [`${checks}: ${text}`, todo].map((line) =>
      wrap(printable(line), { indent: 2, column: 4 }).trimStart(),
    );
    return `${styleText('red', '✗')} ${lines[0]}\n    ${lines[1]}`;
  });
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
        'Try it with --write, --to, --opted-out and --callback-url, or accept it by its first word, such as --accept sending,keys.',
      ]
    : []),
  ...(accepted.length > 0 ? [`Accepted without a proof: ${accepted.join('; ')}.`] : []),
];

/** Returns how many checks had each outcome, in one sentence. */
const summarize = (rows: readonly CheckResult[]): string => {
  const count = (outcome: CheckResult['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  const copes = count('copes') > 0 ? `, ${count('copes')} differ but the app copes` : '';
  const open = `${count('not checked')} couldn't be checked, ${count('skipped')} skipped`;
  return styleText('bold', `${count('passed')} passed, ${count('differs')} differ${copes}, ${open}.`);
};

/** Formats the results for the terminal: first what differs and what to do about it, last the summary. */
export const formatReport = (rows: readonly CheckResult[], recordings: string, untried = untriedIn(rows)): string => {
  const having = (outcome: CheckResult['outcome']) => rows.filter((row) => row.outcome === outcome);
  const rowsOf = (outcome: CheckResult['outcome'], mark: string) => having(outcome).map((row) => formatRow(mark, row));
  const differing = formatDifferences(rows);
  return [
    ...differing,
    ...(differing.length > 0 ? ['The hooks, and the list `missing`, are in src/api/service.ts.'] : []),
    ...rowsOf('copes', styleText('yellow', '~ the app copes:')),
    ...rowsOf('not checked', styleText('yellow', '?')),
    ...rowsOf('passed', styleText('green', '✓')),
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
    `\nThe app's steps (${left.length}): ${left.join(', ')}.`,
    ...gone.map(({ key, lacks }) => `${key} is gone, because the service lacks ${lacks.join(', ')}.`),
  ].join('\n');
