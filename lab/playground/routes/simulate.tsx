import { Hono } from 'hono';
import { sentenceOf } from '../../zapier/core/failure';
import { Simulate } from '../page/bar/simulate';
import { faultChoices, speeds } from '../service/simulation';
import { type Posted, readForm, readOne, readWholeNumber } from './form';
import type { Env, Parts } from './parts';

const maxFaults = 100;
const maxAdvanceSeconds = 31 * 86_400;

interface Shown {
  error?: string | undefined;
  /** What is wrong with How many, and what was typed. */
  count?: { typed: string; problem: string };
}

/** Renders the failures, the time and the account that are simulated. */
export const renderSimulate = async ({ simulation, zaps, clock, connection }: Parts, { error, count }: Shown = {}) => (
  <Simulate
    faults={await simulation.faults(zaps)}
    speed={simulation.speed}
    advancedSeconds={clock.aheadSeconds}
    plan={connection.plan}
    isExpired={connection.isExpired}
    error={error}
    count={count}
  />
);

const addFault = async ({ simulation, zaps }: Parts, body: Posted): Promise<Shown> => {
  const wanted = readOne(body, 'fault');
  const fault = faultChoices.find(({ name }) => name === wanted);
  if (!fault) return { error: `There is no failure "${wanted?.slice(0, 40)}". Choose one from the list.` };
  const typed = readOne(body, 'count') ?? '';
  const count = readWholeNumber(typed, maxFaults);
  if (!count) {
    const problem = `How many must be a number from 1 to ${maxFaults}, not "${typed.slice(0, 40)}".`;
    return { count: { typed, problem } };
  }
  await simulation.addFault(fault, count, zaps);
  return {};
};

const clearFaults = async ({ simulation }: Parts): Promise<Shown> => {
  await simulation.clearFaults();
  return {};
};

const changeAccount = async ({ connection, runner, work }: Parts, body: Posted): Promise<void> => {
  const plan = readOne(body, 'plan');
  if (readOne(body, 'token') === 'rotate') await connection.rotate();
  if (readOne(body, 'token') === 'reconnect') connection.reconnect();
  if (plan === 'growth' || plan === 'advanced') connection.plan = plan;
  work.inBackground(runner.paused.releaseHeld());
};

const advance = async ({ simulation }: Parts, typed: string): Promise<Shown> => {
  const seconds = readWholeNumber(typed, maxAdvanceSeconds);
  if (seconds === undefined) return { error: 'Move the clock forward: enter whole seconds, at most 31 days.' };
  await simulation.advance(seconds);
  return {};
};

/** Moves the clock forward to a moment in ms since 1970. */
const skipTo = (parts: Parts, until: number): Promise<Shown> =>
  advance(parts, `${Math.max(0, Math.ceil((until - parts.clock.now()) / 1000))}`);

const backToNow = async ({ simulation }: Parts): Promise<Shown> => {
  await simulation.backToNow();
  return {};
};

/** Changes what the form names: a failure, the clock, the speed, the token or the plan. */
const simulate = async (parts: Parts, body: Posted): Promise<Shown> => {
  const speed = speeds.find((each) => String(each) === readOne(body, 'speed'));
  if (speed) parts.simulation.speed = speed;
  // The button posts its form too, which would add a failure again.
  if (readOne(body, 'clear')) return clearFaults(parts);
  if (readOne(body, 'token') || readOne(body, 'plan')) await changeAccount(parts, body);
  if (readOne(body, 'clock') === 'now') return backToNow(parts);
  if (readOne(body, 'until') !== undefined) return skipTo(parts, Number(readOne(body, 'until')));
  if (readOne(body, 'advance') !== undefined) return advance(parts, readOne(body, 'advance') ?? '');
  return readOne(body, 'fault') === undefined ? {} : addFault(parts, body);
};

/** The calls of Simulate. The last one waits until nothing goes on, for those who want to see what doesn't happen. */
export const simulateRoutes = (parts: Parts): Hono<Env> =>
  new Hono<Env>()
    .get('/', async (c) => c.html(await renderSimulate(parts)))
    .post('/', async (c) => {
      const body = await readForm(c);
      const shown = await simulate(parts, body).catch((error: unknown) => ({ error: sentenceOf(error) }));
      // A page that shows a problem would load itself again without it.
      if (Object.keys(shown).length === 0) parts.live.changed('simulation');
      return c.html(await renderSimulate(parts, shown));
    })
    .post('/settled', async (c) => {
      await parts.settled();
      return c.body(null, 204);
    });
