import nock from 'nock';
import { fieldsOf } from '../../../src/api/object';
import type { runStep } from '../../support/zapier';
import { type Fault, lostRequest, lostResponse, type Meaning } from './faults';
import { type Quirks, type Request, Service } from './service';

/** An action with its input, and how its service differs from the usual one. */
export interface Step {
  key: string;
  inputData: Record<string, unknown>;
  quirks?: Quirks;
  /** Whether its form has Send Only Once Per. */
  takesKey?: boolean;
}

/** Which requests of all runs fail, counted from 0. */
export interface Position {
  name: string;
  failsReads: boolean;
  at: (index: number, fault: Fault) => Fault | undefined;
}

const position = (name: string, at: Position['at'], failsReads = false): Position => ({ name, at, failsReads });

export const positions: Position[] = [
  position('the first write', (index, fault) => (index === 0 ? fault : undefined)),
  position('the first two writes', (index, fault) => (index < 2 ? fault : undefined)),
  position('every write', (_index, fault) => fault),
  position('every request', (_index, fault) => fault, true),
  position('the write after a lost request', (index, fault) => [lostRequest, fault][index]),
  position('the write after a lost response', (index, fault) => [lostResponse, fault][index]),
  position('every write after a lost response', (index, fault) => (index === 0 ? lostResponse : fault)),
];

/** Whether a service can do that: a verdict after it has acted would contradict what it keeps for the key. */
export const isPossible = ({ meaning }: Fault, { at }: Position): boolean =>
  meaning !== 'refused for good' || at(0, lostRequest) !== lostResponse;

export interface Story {
  step: Step;
  fault: Fault;
  position: Position;
  /** Whether Send Only Once Per is filled in. */
  hasKey: boolean;
}

/** What runs the steps, and what their contract says about the service. */
export interface World {
  runStep: typeof runStep;
  keepsKeys: boolean;
  quirks?: Quirks;
}

/** A fault of a request, and whether the request does more than read. */
interface Met {
  meaning: Meaning;
  isWrite: boolean;
}

/** What a run of a step gave, and the faults that it met. */
interface Run {
  result: unknown;
  met: readonly Met[];
  /** The number of things that the service had done before. */
  doneBefore: number;
}

const authData = { base_url: 'https://api.example.com', api_token: 'tok_0nc3' };

/** How long a fault takes, in milliseconds. A step has time for about three. */
const faultMs = 6_000;

/** Serves the requests of a story. Returns the list to which it adds their faults. */
const serve = (service: Service, { fault, position: { at, failsReads } }: Story): Met[] => {
  const met: Met[] = [];
  let count = 0;
  const reply = async function (this: nock.ReplyFnContext, url: string, body: nock.Body) {
    const { method, headers } = this.req;
    const { pathname: path } = new URL(url, authData.base_url);
    const request: Request = { method, path, key: headers['idempotency-key'], body };
    const isWrite = method !== 'GET';
    if (isWrite) service.requests.push(request);
    const next = isWrite || failsReads ? at(count++, fault) : undefined;
    if (!next) return service.respond(request);
    met.push({ meaning: next.meaning, isWrite });
    jest.advanceTimersByTime(faultMs);
    return next.respond(service, request);
  };
  const scope = nock(authData.base_url).persist();
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) scope.intercept(/.*/, method).reply(reply);
  return met;
};

/**
 * Whether an error must halt, so that Autoreplay doesn't repeat the step, and no run waits until a key is forgotten. After an
 * attempt whose outcome is unknown, only a verdict tells it, and a repeat is safe with the person's key.
 */
const mustHalt = ({ hasKey }: Story, { keepsKeys }: World, { met }: Run): boolean => {
  const last = met.at(-1)?.meaning;
  if (last === 'refused for good') return true;
  const isUnknown = met.some(({ meaning, isWrite }) => isWrite && meaning === 'unknown');
  if (!isUnknown) return last === 'refused';
  return !(hasKey && keepsKeys) || last === 'no access';
};

const judgeError = (story: Story, world: World, { done }: Service, run: Run, { name, message }: Error): string[] => {
  const isHalt = name === 'HaltedError';
  const didSomething = done.length > run.doneBefore;
  const claimsNothing = /nothing was (sent|changed|delivered)|didn't start|correct the fields/i.test(message);
  // A later response may tell that an earlier request was refused. Before the first write, a wrong address is corrected.
  const claimsNothingYet =
    claimsNothing || (message.includes('API Base URL: ') && !run.met.some(({ isWrite }) => isWrite));
  const isClass = isHalt === mustHalt(story, world, run) || (!isHalt && claimsNothingYet && !didSomething);
  return [
    ...(claimsNothing && didSomething ? [`did something, and says: ${message}`] : []),
    ...(isClass ? [] : [`ends with a ${name}: ${message}`]),
  ];
};

const judgeSuccess = ({ step, hasKey }: Story, { done, hasRepeated }: Service, result: unknown): string[] => {
  const expected = step.takesKey ? hasKey && hasRepeated : undefined;
  const { already_sent } = fieldsOf(result);
  return [
    ...(done.length === 1 ? [] : [`succeeds after the service did ${done.length} things`]),
    ...(already_sent === expected ? [] : [`says already_sent: ${already_sent}`]),
  ];
};

const repeatedIn = (items: readonly string[]): string[] => items.filter((item, index) => items.indexOf(item) < index);

/** Lists what the service did twice, and how its requests differ from the contract. */
const judgeRequests = ({ keepsKeys }: World, { done, requests }: Service): string[] => {
  const posts = requests.filter(({ method }) => method === 'POST');
  return [
    ...repeatedIn(done).map((call) => `does ${call} again`),
    ...(posts.every(({ key }) => key) ? [] : ['sends a POST without a key']),
    ...(keepsKeys ? [] : repeatedIn(posts.map(({ path }) => path)).map((path) => `repeats a POST to ${path}`)),
  ];
};

const hour = 3_600_000;

/**
 * Runs a step, and again as Autoreplay does: up to three times, an hour apart, after each error that doesn't halt. Lists
 * what went wrong. The clock is jest's.
 */
export const tell = async (world: World, story: Story): Promise<string[]> => {
  const { step, hasKey } = story;
  const service = new Service({ ...step.quirks, ...world.quirks });
  const met = serve(service, story);
  const inputData = { ...step.inputData, ...(hasKey && { deduplication_key: 'order 1' }) };
  const problems: string[] = [];
  for (let replay = 0; replay < 4; replay += 1) {
    service.startRun();
    met.length = 0;
    const doneBefore = service.done.length;
    const result = await world
      .runStep(`creates.${step.key}.operation.perform`, { authData, inputData })
      .catch((error: unknown) => error);
    const run = { result, met, doneBefore };
    problems.push(...judgeRequests(world, service));
    if (!(result instanceof Error)) problems.push(...judgeSuccess(story, service, result));
    else problems.push(...judgeError(story, world, service, run, result));
    if (!(result instanceof Error) || result.name === 'HaltedError') break;
    jest.advanceTimersByTime(hour);
  }
  nock.cleanAll();
  return problems;
};
