import { Hono } from 'hono';
import { sentenceOf } from '../../zapier/core/failure';
import { Simulate } from '../page/bar/simulate';
import { Refused } from '../service/refused';
import { failures } from '../service/simulation';
import { type Posted, readForm, readOne, readWholeNumber } from './form';
import type { Env, Parts } from './parts';

const maxAdvanceSeconds = 31 * 86_400;

/** Renders what is simulated. */
export const renderSimulate = async ({ simulation, zaps, clock, connection }: Parts, error?: string) => (
  <Simulate
    failing={await simulation.listFailures(zaps)}
    advancedSeconds={clock.aheadSeconds}
    isExpired={connection.isExpired}
    error={error}
  />
);

const addFailure = async ({ simulation, zaps }: Parts, wanted: string): Promise<void> => {
  const failure = failures.find(({ kind }) => kind === wanted);
  if (!failure) throw new Refused(`There is no failure "${wanted.slice(0, 40)}". Choose one from the list.`);
  await simulation.addFailure(failure, zaps);
};

const changeToken = async ({ connection, runner, work }: Parts, wanted: string): Promise<void> => {
  if (wanted === 'rotate') await connection.rotate();
  else connection.reconnect();
  work.inBackground(runner.paused.releaseHeld());
};

const advance = async ({ simulation }: Parts, typed: string): Promise<void> => {
  const seconds = readWholeNumber(typed, maxAdvanceSeconds);
  if (seconds === undefined) throw new Refused('Move the clock forward: enter whole seconds, at most 31 days.');
  await simulation.advance(seconds);
};

/** Moves the clock forward to a moment in ms since 1970. */
const skipTo = (parts: Parts, until: number): Promise<void> =>
  advance(parts, `${Math.max(0, Math.ceil((until - parts.clock.now()) / 1000))}`);

/** Changes what the form names: a failure, the clock or the token. */
const simulate = async (parts: Parts, body: Posted): Promise<void> => {
  const [failure, token, seconds, until] = ['failure', 'token', 'advance', 'until'].map((name) => readOne(body, name));
  if (readOne(body, 'clear')) await parts.simulation.clearFaults();
  if (readOne(body, 'clock') === 'now') await parts.simulation.backToNow();
  if (failure !== undefined) await addFailure(parts, failure);
  if (token !== undefined) await changeToken(parts, token);
  if (seconds !== undefined) await advance(parts, seconds);
  if (until !== undefined) await skipTo(parts, Number(until));
};

/** The calls of Simulate. The last one waits until nothing goes on, for those who want to see what doesn't happen. */
export const simulateRoutes = (parts: Parts): Hono<Env> =>
  new Hono<Env>()
    .get('/', async (c) => c.html(await renderSimulate(parts)))
    .post('/', async (c) => {
      const error = await simulate(parts, await readForm(c)).then(() => undefined, sentenceOf);
      // A page that shows a problem would load itself again without it.
      if (error === undefined) parts.live.changed('simulation');
      return c.html(await renderSimulate(parts, error));
    })
    .post('/settled', async (c) => {
      await parts.settled();
      return c.body(null, 204);
    });
