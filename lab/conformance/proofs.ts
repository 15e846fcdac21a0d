/** What harms people when it's assumed and wrong, so that a run ends with 0 only if it tried it, or somebody accepts that. */
import { exists } from '../../src/api/missing';
import type { CheckResult } from './checks/check';

/** What to accept it by, the check that proves it, the call that it's about, and what the command says of it. */
const proofs = [
  { name: 'sending', check: 'sendMessage', call: 'sendMessage', text: 'sending' },
  {
    name: 'keys',
    check: 'sendMessage, repeated with its key',
    call: 'sendMessage',
    text: 'keys, without which a lost response sends twice',
  },
  { name: 'webhooks', check: 'createWebhook', call: 'createWebhook', text: 'webhooks' },
  {
    name: 'deliveries',
    check: 'a delivery, signed',
    call: 'createWebhook',
    text: 'deliveries and their signatures',
  },
] as const;

/** The name of something to prove, as people accept it. */
export type ProofName = (typeof proofs)[number]['name'];

/** The names of what can be accepted without a proof. */
export const proofNames = proofs.map(({ name }) => name);

/** What a run hasn't tried, as it says it: what counts, and what somebody accepts. */
export type Untried = Record<'open' | 'accepted', string[]>;

/** Returns what a run hasn't tried. `accepted` are the names that somebody accepts. */
export const untriedIn = (rows: readonly CheckResult[], accepted: readonly ProofName[] = []): Untried => {
  const skipped = rows.filter(({ outcome }) => outcome === 'skipped').map(({ check }) => check);
  const untried = proofs.filter(({ call, check }) => exists(call) && skipped.includes(check));
  const textsOf = (isAccepted: boolean): string[] =>
    untried.filter(({ name }) => accepted.includes(name) === isAccepted).map(({ text }) => text);
  return { open: textsOf(false), accepted: textsOf(true) };
};
