/** One world: a service, a stand-in for Zapier, people, and the operations that its seed plans. */
import { Judge, type Violation } from './invariants';
import { type ActName, act, actNames, restMs, settle } from './operations';
import type { Person } from './people';
import { drawsFrom, Random } from './random';
import type { ServiceSettings } from './records';
import { Service } from './service';
import { type PlannedFault, type Story, stories, worldsOfStories } from './stories';
import { after, hour, minute, now, passAllTime, restartTime, second, sleep } from './time';
import { connect, type FaultKind, faultKinds, isSend, type WireRequest } from './wire';
import { type Account, drawAnswers, type HandlerOf, type Operation, Zapier } from './zapier';

/** An operation as planned. The rest comes from its own chance, so that it stays the same without the others. */
export interface PlannedOperation {
  id: number;
  name: ActName;
  at: number;
  /** What goes wrong with which of its requests to the service, counted from 0. */
  faults: PlannedFault[];
  story?: Story;
  killAfterMs: number | undefined;
}

export interface Plan {
  seed: string;
  /** How the service differs from the usual one. */
  contract?: Partial<ServiceSettings>;
  operations: PlannedOperation[];
}

export interface World {
  people: Person[];
  accounts: Account[];
  zapier: Zapier;
  startOutage: (kind: FaultKind, durationMs: number) => void;
}

export interface Result {
  violations: Violation[];
  operations: number;
  requests: number;
  runs: number;
  faults: number;
  story: string[];
}

/** Three hours after the clocks of Berlin changed, so that what is in the past lies before that. */
const start = Date.UTC(2026, 2, 29, 4);
const operationsPerWorld = 50;

/** Plans what goes wrong with the first requests of an operation, or with the first of those that write. */
const planFaults = (random: Random, places: Random): PlannedOperation['faults'] => {
  if (random.chance(0.45)) return [];
  const of = places.chance(0.4) ? ({ of: 'writes' } as const) : {};
  const first = 'of' in of ? 0 : random.int(0, 3);
  const kind = random.pick(faultKinds);
  const row = Array.from({ length: random.pick([1, 1, 2, 3, 6]) }, (_, index) => ({
    ...of,
    request: first + index,
    kind: random.chance(0.8) ? kind : random.pick(faultKinds),
  }));
  const later = random.chance(0.4) ? [{ request: first + random.int(7, 12), kind: random.pick(faultKinds) }] : [];
  return [...row, ...later];
};

/** Plans a world of stories. As many worlds of one seed as `worldsOfStories` tell each story once. */
const planStories = (seed: string): Plan => {
  const [drawn, world] = seed.split('/');
  const first = (new Random(`${drawn} stories`).int(0, worldsOfStories - 1) + Number(world)) % worldsOfStories;
  const operations = stories
    .filter((_, index) => index % worldsOfStories === first)
    .map((each, id): PlannedOperation => {
      const at = start + id * 20 * minute;
      return { id, name: 'tellStory', at, ...each, killAfterMs: undefined };
    });
  return { seed, operations };
};

/** Plans a world from its seed. */
const planWorld = (seed: string, names: readonly ActName[]): Plan => {
  const random = new Random(`${seed} plan`);
  const places = new Random(`${seed} places of faults`);
  let at = start;
  const operations = Array.from({ length: operationsPerWorld }, (_, id): PlannedOperation => {
    const soon = [random.int(0, 300), random.int(0, 20 * second)];
    at += random.pick([...soon, random.int(1, 60) * minute, random.int(1, 5) * hour]);
    const killAfterMs = random.chance(0.04) ? random.int(20, 3_000) : undefined;
    return { id, name: random.pick(names), at, faults: planFaults(random, places), killAfterMs };
  });
  return { seed, operations };
};

/** What happens in a world, by the kind of its plan: anything, mostly one kind of step, or writes that fail. */
export const plans: Record<string, (seed: string) => Plan> = {
  any: (seed) => planWorld(seed, actNames),
  waits: (seed) => planWorld(seed, ['sendAndWait', 'sendAndWait', 'sendAndWait', 'replay', 'happen']),
  sends: (seed) => planWorld(seed, ['send', 'send', 'send', 'test', 'startCampaign', 'replay', 'failForAWhile']),
  contacts: (seed) => planWorld(seed, ['writeContact', 'writeContact', 'writeContact', 'replay', 'happen']),
  searches: (seed) => planWorld(seed, ['search', 'search', 'search', 'search', 'happen', 'happen', 'send']),
  zaps: (seed) =>
    planWorld(seed, ['useZap', 'useZap', 'happen', 'happen', 'send', 'sendAndWait', 'startCampaign', 'forge']),
  faults: planStories,
};

/** Whether a fault can meet a request. */
const fits = (fault: FaultKind | undefined, request: Omit<WireRequest, 'body'>): boolean => {
  if (fault === 'busy' || fault === 'in-flight') return request.headers['idempotency-key'] !== undefined;
  if (fault === 'stale') return request.method === 'GET';
  if (fault === 'failed') return isSend(request) && request.url.pathname.endsWith('/messages');
  return fault !== '200-error' || isSend(request);
};

/** What a service must be like so that each story gets to its faults. */
const plain = {
  ...{ plan: 'advanced', echoesFilters: true, expiry: undefined },
  ...{ checksMessages: true, readsAtOnce: false, hasPlainTemplates: true },
};

const openAccount = (
  index: number,
  random: Random,
  { seed, operations, contract }: Plan,
  zapier: () => Zapier,
): Account => {
  const draws = drawsFrom(`${seed} service ${index}`);
  const oddities = draws('oddities');
  // Two workspaces of one service, each with its own token.
  const isShared = new Random(`${seed} workspaces`).chance(0.3);
  const host = `api-${isShared ? 1 : index}.service.test`;
  const token = `tok_secret_${random.digits(12)}`;
  const plan = random.chance(0.9) ? 'advanced' : 'growth';
  const expiry = random.chance(0.35) ? random.pick(['iso', 'iso', 'unix', 'rfc', 'space'] as const) : undefined;
  const settings = {
    host,
    workspace: `ws_${index}`,
    token,
    plan,
    isExact: random.chance(0.5),
    echoesFilters: random.chance(0.92),
    hasSource: random.chance(0.85),
    expiry,
    overlaps: random.chance(0.5),
    namesExisting: oddities.chance(0.7),
    showsHidden: oddities.chance(0.5),
    givesOnlyId: oddities.chance(0.2),
    fanOutMs: oddities.pick([0, 0, 0, 1_500]),
    lags: oddities.chance(0.15),
    ignoresKeys: false,
    repeatsWebhooks: false,
    keyless: [],
    checksMessages: draws('checks').chance(0.7),
    reportsNotes: draws('notes').chance(0.6),
    readsAtOnce: draws('reads').chance(0.7),
    hasPlainTemplates: false,
    ...(operations.some(({ story }) => story) && { ...plain, repeatsWebhooks: oddities.chance(0.5) }),
    ...contract,
  };
  const service = new Service(settings, draws, async (url, headers, body) => {
    const wire = draws('deliveries');
    const fate = wire.next();
    await sleep(wire.int(10, 60));
    // Lost on the way there, or on the way back: then it comes twice.
    if (fate < 0.02) return undefined;
    const status = zapier().receive(url, headers, body);
    if (fate > 0.96) zapier().receive(url, headers, body);
    return fate < 0.04 ? undefined : status;
  });
  return { service, authData: { base_url: `https://${host}`, api_token: token } };
};

/** Runs a world and judges it, to its end or to a broken promise that is enough. The same plan gives the same result. */
export const runWorld = async (
  plan: Plan,
  handlerOf: HandlerOf,
  isEnough: (broken: Violation) => boolean = () => false,
): Promise<Result> => {
  const random = new Random(plan.seed);
  restartTime(start - hour, new Random(`${plan.seed} app`));
  const outages: { kind: FaultKind; to: number }[] = [];
  const counts = { requests: 0, faults: 0 };
  const accounts: Account[] = [];
  const cache = random.pick(['works', 'works', 'works', 'absent', 'fails', 'slow'] as const);
  const settings = { cache, answers: drawAnswers(random) };
  const judge = new Judge(plan, accounts, settings);
  const zapier = new Zapier(handlerOf, settings, (attempt) => judge.see(attempt));
  for (const index of [1, 2]) accounts.push(openAccount(index, random, plan, () => zapier));
  const world: World = {
    people: [],
    accounts,
    zapier,
    startOutage: (kind, durationMs) => outages.push({ kind, to: now() + durationMs }),
  };
  if (!plan.operations.some(({ story }) => story)) settle(world, random, new Random(`${plan.seed} sizes`));
  const accountAt = ({ url, headers }: Pick<WireRequest, 'url' | 'headers'>): Account | undefined => {
    const there = accounts.filter(({ service }) => service.settings.host === url.host);
    return there.find(({ service }) => headers.authorization === `Bearer ${service.token}`) ?? there[0];
  };
  connect({ serviceAt: (request) => accountAt(request)?.service, other: (request) => zapier.serve(request) });
  for (const { id, name, at, faults, killAfterMs, story } of plan.operations) {
    let [count, writes, creations] = [-1, -1, -1];
    const nextFault = ({ method, url, headers }: WireRequest): FaultKind | undefined => {
      count += 1;
      if (method !== 'GET') writes += 1;
      if (method === 'POST') creations += 1;
      counts.requests += 1;
      const isMet = ({ request, of }: PlannedFault): boolean => {
        if (of === 'writes') return method !== 'GET' && request === writes;
        return of === 'creations' ? method === 'POST' && request === creations : request === count;
      };
      const planned = outages.find(({ to }) => to > now())?.kind ?? faults.find(isMet)?.kind;
      const isFit = fits(planned, { method, url, headers });
      if (planned && isFit) counts.faults += 1;
      if (planned) return isFit ? planned : undefined;
      const isMessage = method === 'GET' && url.pathname.endsWith('/messages');
      return isMessage && accountAt({ url, headers })?.service.settings.lags ? 'stale' : undefined;
    };
    const draws = drawsFrom(`${plan.seed} ${id}`);
    const operation: Operation = { id, random: new Random(`${plan.seed} ${id}`), draws, nextFault, killAfterMs, story };
    after(at - now(), () => act(name, world, operation));
  }
  const end = Math.max(start, ...plan.operations.map(({ at }) => at)) + restMs;
  after(end - now(), () => {
    for (const zap of zapier.zaps) void zapier.turnOff(zap);
  });
  const isOver = () => judge.violations.some(isEnough);
  await passAllTime((cpuMs) => judge.seeTurn(cpuMs), isOver);
  const violations = isOver() ? judge.violations : judge.conclude(zapier);
  const done = { operations: plan.operations.length, runs: zapier.attempts.length, ...counts };
  return { violations, ...done, story: judge.story() };
};
