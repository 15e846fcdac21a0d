import type { Context, Hono } from 'hono';
import type { ServiceEvent } from '../../recipes/recipe';
import { sentenceOf } from '../../zapier/core/failure';
import { hasEnded, type Run } from '../../zapier/runs/run';
import type { Zap } from '../../zapier/zap/zap';
import { findResult } from '../page/canvas/painted-run';
import { Result } from '../page/panel/result';
import { Stages, toStage } from '../page/panel/stages';
import { ZapStatus } from '../page/zap';
import { applyEvent } from '../service/events';
import { eventsOf } from '../service/new-zaps';
import { Refused } from '../service/refused';
import { turnOnAlone } from '../service/stage';
import { readForm, readOne, readWholeNumber } from './form';
import {
  findWholeRun,
  isStopped,
  type Opened,
  openZap,
  readView,
  requireShownZap,
  requireStep,
  requireZap,
  saveOpenStep,
} from './open-zap';
import type { Env, Parts } from './parts';

/** The run that an address names. Throws a sentence when there is none. */
const requireRun = ({ runs }: Parts, c: Context): Run => {
  const run = runs.find(c.req.param('run') ?? '');
  if (!run) throw new Refused('This run no longer exists. Reload the page.');
  return run;
};

/** Turns a Zap on or publishes it, unless one of its steps can't run yet. */
const runWhole = async (parts: Parts, { zap, index, shown }: Opened, work: (zap: Zap) => Promise<Zap[]>) => {
  if (isStopped(shown)) return openZap(parts, zap, index, shown);
  const problem = await parts.editor.findZapProblem(zap);
  if (problem) return openZap(parts, zap, problem.index, { problems: problem.problems, error: problem.sentence });
  const done = await work(zap).then(
    (turnedOff) => ({ turnedOff }),
    (error: unknown) => ({ error: sentenceOf(error) }),
  );
  return openZap(parts, zap, index, { stage: shown.stage, ...done });
};

/** Makes the events of a recipe happen. Only the last one has to: the contacts before it may exist already. */
const applyAll = async (parts: Parts, events: readonly ServiceEvent[]): Promise<void> => {
  for (const event of events) {
    const applied = applyEvent(parts, event);
    await (event === events.at(-1) ? applied : applied.catch(() => undefined));
  }
};

/** Throws a sentence when a Zap that is off has a step that can't run. One that is on runs what was published. */
const requireRunnable = async ({ editor }: Parts, zap: Zap): Promise<void> => {
  const problem = zap.isOn ? undefined : await editor.findZapProblem(zap);
  if (problem) throw new Refused(`Nothing was replayed. ${problem.sentence}`);
};

/** The calls that turn a Zap on and off, and that run it. */
export const addRuns = (routes: Hono<Env>, parts: Parts): void => {
  const { runner, subscriptions } = parts;

  routes.get('/:id/runs', async (c) => {
    const zap = requireShownZap(parts, c);
    const index = readWholeNumber(c.req.query('step'), zap.steps.length - 1) ?? 0;
    const view = await readView(parts, zap, index, findWholeRun(parts, zap, c.req.query('run')));
    return c.html(<ZapStatus {...view} />);
  });

  routes.get('/:id/:step{[0-9]+}/result', async (c) => {
    const zap = requireShownZap(parts, c);
    const index = requireStep(zap, c.req.param('step'));
    const { chosen, runs, states } = await readView(parts, zap, index, findWholeRun(parts, zap, c.req.query('run')));
    const [run, state] = [findResult(zap, index, runs, chosen), states[index]];
    if (!run || !state) return c.body(null, 204);
    const stage = toStage(c.req.query('stage')) ?? 'test';
    return c.html(
      <>
        <Result zap={zap} index={index} run={run} chosen={chosen} stage={stage} />
        <Stages zap={zap} index={index} shown={stage} state={state} isUpdate />
      </>,
    );
  });

  routes.post('/:id/runs/:run/replay', async (c) => {
    const run = requireRun(parts, c);
    if (!hasEnded(run))
      throw new Refused("This run hasn't ended, so a replay would send its messages twice. Wait until it ends.");
    await requireRunnable(parts, requireZap(parts, c));
    await runner.replay(run);
    return c.body(null, 204);
  });

  routes.post('/:id/runs/:run/autoreplay', async (c) => {
    const run = requireRun(parts, c);
    if (!run.failed) throw new Refused('This run has no failed step, so nothing was replayed. Reload the page.');
    requireZap(parts, c);
    await runner.autoreplay(run);
    return c.body(null, 204);
  });

  routes.post('/:id/on', async (c) => {
    const opened = await saveOpenStep(parts, c);
    return c.html(await runWhole(parts, opened, (zap) => turnOnAlone(parts, zap)));
  });

  routes.post('/:id/keep', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    const kept = (c.req.query('zaps') ?? '').split(',');
    for (const each of parts.zaps.list()) if (kept.includes(each.id)) await subscriptions.turnOn(each);
    return c.html(await openZap(parts, zap, index, shown));
  });

  routes.post('/:id/event', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    const error = await applyAll(parts, eventsOf(zap)).then(() => undefined, sentenceOf);
    return c.html(await openZap(parts, zap, index, { error, ...shown }));
  });

  routes.post('/:id/publish', async (c) => {
    const opened = await saveOpenStep(parts, c);
    return c.html(await runWhole(parts, opened, (zap) => subscriptions.publish(zap).then(() => [])));
  });

  routes.post('/:id/off', async (c) => {
    const zap = requireZap(parts, c);
    // Also works when another tab removed the open step.
    const index = readWholeNumber(readOne(await readForm(c), 'at'), zap.steps.length - 1) ?? 0;
    const error = await subscriptions.turnOff(zap);
    return c.html(await openZap(parts, zap, index, { error }));
  });
};
