/** What harms people when it's assumed and wrong, so that a run ends with 0 only if it tried it, or somebody accepts that. */
import { endpoints, exists, takesKey } from '../src/api/endpoints';
import type { EndpointName } from '../src/api/transport';
import type { CheckResult } from './checks/check';

/** What proves it: a check, and the call that it's about. */
interface Proof {
  check: string;
  call: EndpointName;
  /** What the command says of it. */
  text: string;
}

const proofs = {
  sending: { check: 'sendMessage', call: 'sendMessage', text: 'sending' },
  keys: {
    check: 'sendMessage, repeated with its key',
    call: 'sendMessage',
    text: 'keys, without which a lost response sends twice',
  },
  webhooks: { check: 'createWebhook', call: 'createWebhook', text: 'webhooks' },
  deliveries: { check: 'a delivery, signed', call: 'createWebhook', text: 'deliveries and their signatures' },
} satisfies Record<string, Proof>;

/** The name of something to prove, as people accept it. */
export type ProofName = keyof typeof proofs;

/** The names of what can be accepted without a proof. */
export const proofNames = Object.keys(proofs).filter((name): name is ProofName => Object.hasOwn(proofs, name));

/** Whether the contract itself says that the service keeps no keys, so that the app repeats nothing. */
const isDeclared = (name: ProofName): boolean => name === 'keys' && !takesKey(endpoints.sendMessage);

/** What a run hasn't tried, as it says it: what counts, and what somebody accepts. */
export interface Untried {
  open: string[];
  accepted: string[];
}

/** Returns what a run hasn't tried. `accepted` are the names that somebody accepts. */
export const untriedIn = (rows: readonly CheckResult[], accepted: readonly ProofName[] = []): Untried => {
  const skipped = new Set(rows.flatMap(({ check, outcome }) => (outcome === 'skipped' ? [check] : [])));
  const untried = proofNames.filter((name) => exists(proofs[name].call) && skipped.has(proofs[name].check));
  const isAccepted = (name: ProofName): boolean => accepted.includes(name) || isDeclared(name);
  const textsOf = (names: readonly ProofName[]): string[] => names.map((name) => proofs[name].text);
  return {
    open: textsOf(untried.filter((name) => !isAccepted(name))),
    accepted: textsOf(untried.filter(isAccepted)),
  };
};
