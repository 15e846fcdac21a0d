import { type Context, Hono } from 'hono';
import { Choices } from '../page/choices';
import { Result } from '../page/result';
import { ZapStatus } from '../page/zap-status';
import { readWholeNumber } from '../read-whole-number';
import type { ServiceEvent } from '../recipes/recipe';
import { Refused } from '../refused';
import { applyEvent } from '../service-events';
import { listChoices } from '../zaps/dropdown';
import { sentenceOf } from '../zaps/failures';
import { eventsOf } from '../zaps/from-recipe';
import { hasEnded, type Run } from '../zaps/run';
import { exampleRecord } from '../zaps/run-step';
import type { Zap } from '../zaps/zap';
import { type Posted, readForm, readOne } from './form';
import type { Env, Parts } from './parts';
import { saveStep } from './save-step';
import { applyForm } from './step-form';
import {
  definedFields,
  findFailedField,
  findStepProblems,
  findZapProblem,
  readFields,
  renderZap,
  type Shown,
} from './zap-pane';

const maxRecipes = 1000;
const maxPage = 1000;

/** The Zap that an address names. Throws a sentence when there is none. */
const requireZap = ({ zaps }: Parts, c: Context): Zap => {
  const zap = zaps.find(c.req.param('id') ?? '');
  if (!zap) throw new Refused('This Zap no longer exists, so nothing changed. Reload the page.');
  return zap;
};

/** The place of the step that an address or a form names. Throws a sentence when it was removed. */
const requireStep = (zap: Zap, value: unknown, body?: Posted): number => {
  const index = readWholeNumber(value, zap.steps.length - 1);
  const id = body && readOne(body, 'step');
  if (index !== undefined && (id === undefined || zap.steps[index]?.id === id)) return index;
  throw new Refused('This step was changed or removed in another tab, so nothing was saved. Reload the page.');
};

/** The run that an address names. Throws a sentence when there is none. */
const requireRun = ({ zaps }: Parts, c: Context): Run => {
  const run = zaps.findRun(c.req.param('run') ?? '');
  if (!run) throw new Refused('This run no longer exists. Reload the page.');
  return run;
};

const runStep = async (parts: Parts, zap: Zap, index: number, isTest: boolean) => {
  const problems = await findStepProblems(parts, zap, index);
  if (Object.keys(problems).length > 0) return renderZap(parts, zap, index, { problems });
  const run = await parts.editor.run(zap, index, isTest);
  return renderZap(parts, zap, index, { run, problems: run && (await findFailedField(parts, zap, index, run)) });
};

/** Turns a Zap on or runs it, unless one of its steps can't run yet. */
const runWhole = async (parts: Parts, zap: Zap, index: number, work: () => Promise<unknown>) => {
  const problem = await findZapProblem(parts, zap);
  if (problem) return renderZap(parts, zap, problem.index, problem.shown);
  const error = await work().then(() => undefined, sentenceOf);
  return renderZap(parts, zap, index, { error });
};

/** Saves the form of the open step, which posts its place in `at`. */
const saveOpenStep = async (parts: Parts, c: Context): Promise<{ zap: Zap; index: number; shown: Shown }> => {
  const zap = requireZap(parts, c);
  const body = await readForm(c);
  const index = requireStep(zap, readOne(body, 'at') ?? '0', body);
  return { zap, index, shown: await saveStep(parts, zap, index, body) };
};

/** Carries out what a button of the step's form asks for, after the form was saved. */
const actOnStep = async (parts: Parts, zap: Zap, index: number, action: string | undefined, shown: Shown) => {
  if (shown.problems) return renderZap(parts, zap, index, shown);
  switch (action) {
    case 'test':
    case 'run':
      return runStep(parts, zap, index, action === 'test');
    case 'remove':
      parts.zaps.removeStep(zap, index);
      return renderZap(parts, zap, Math.min(index, zap.steps.length - 1));
    case 'reload':
      return renderZap(parts, zap, index, shown);
    default:
      return shown.error ? renderZap(parts, zap, index, shown) : undefined;
  }
};

/** The Zap as it is with what the form posts, which a dropdown only reads. */
const withForm = (zap: Zap, index: number, body: Posted): Zap => ({
  ...zap,
  steps: zap.steps.map((step, at) => (at === index ? applyForm(step, body) : step)),
});

const renderChoices = async (parts: Parts, zap: Zap, index: number, key: string, body: Posted) => {
  const part = readOne(body, 'part') ?? '';
  const search = part ? (readOne(body, 'search') ?? '').slice(0, 200) : '';
  const page = readWholeNumber(readOne(body, 'page'), maxPage) ?? 0;
  const shown = { address: `/zap/${zap.id}/${index}`, field: key, part, search, page };
  const step = zap.steps[index];
  const field = (await readFields(parts, zap, index)).fields.find((each) => each.key === key);
  if (step?.type !== 'own' || !field) return <Choices {...shown} choices={[]} hasMore={false} />;
  try {
    const context = parts.editor.contextOf(zap, index);
    const list = await listChoices(definedFields(step), field, step, context, { search, page });
    return <Choices {...shown} {...list} />;
  } catch (error) {
    return <Choices {...shown} choices={[]} hasMore={false} problem={sentenceOf(error)} />;
  }
};

const addSteps = (routes: Hono<Env>, parts: Parts): void => {
  routes.post('/:id/add', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (shown.problems) return c.html(await renderZap(parts, zap, index, shown));
    const place = readWholeNumber(c.req.query('before'), zap.steps.length) || zap.steps.length;
    parts.zaps.addStep(zap, place);
    return c.html(await renderZap(parts, zap, Math.min(place, zap.steps.length - 1), shown));
  });

  routes.post('/:id/:step{[0-9]+}', async (c) => {
    const zap = requireZap(parts, c);
    const body = await readForm(c);
    const index = requireStep(zap, c.req.param('step'), body);
    const shown = await saveStep(parts, zap, index, body);
    const pane = await actOnStep(parts, zap, index, readOne(body, 'action'), shown);
    if (!pane) return c.body(null, 204);
    // A form that is only saved swaps nothing by itself.
    return c.html(pane, 200, { 'HX-Retarget': '#zap', 'HX-Reswap': 'outerMorph' });
  });

  routes.post('/:id/:step{[0-9]+}/choices/:field', async (c) => {
    const zap = requireZap(parts, c);
    const body = await readForm(c);
    const index = requireStep(zap, c.req.param('step'), body);
    return c.html(await renderChoices(parts, withForm(zap, index, body), index, c.req.param('field'), body));
  });
};

/** Makes the events of a recipe happen. Only the last one has to: the contacts before it may exist already. */
const applyAll = async (parts: Parts, events: readonly ServiceEvent[]): Promise<void> => {
  for (const event of events) {
    const applied = applyEvent(parts, event);
    await (event === events.at(-1) ? applied : applied.catch(() => undefined));
  }
};

const addRuns = (routes: Hono<Env>, parts: Parts): void => {
  const { zaps, runner, subscriptions } = parts;
  const renderStatus = (zap: Zap) => <ZapStatus zap={zap} runs={zaps.runs()} />;

  routes.get('/:id/runs', (c) => c.html(renderStatus(requireZap(parts, c))));

  routes.get('/:id/:step{[0-9]+}/runs/:run', (c) => {
    const zap = requireZap(parts, c);
    return c.html(<Result zap={zap} index={requireStep(zap, c.req.param('step'))} run={requireRun(parts, c)} />);
  });

  routes.post('/:id/runs/:run/replay', async (c) => {
    const run = requireRun(parts, c);
    if (!hasEnded(run))
      throw new Refused("This run hasn't ended, so a replay would send its messages twice. Wait until it ends.");
    await runner.replay(run);
    return c.html(renderStatus(requireZap(parts, c)));
  });

  routes.post('/:id/on', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (shown.problems) return c.html(await renderZap(parts, zap, index, shown));
    return c.html(await runWhole(parts, zap, index, () => subscriptions.turnOn(zap)));
  });

  routes.post('/:id/event', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    const error = await applyAll(parts, eventsOf(zap)).then(() => undefined, sentenceOf);
    return c.html(await renderZap(parts, zap, index, { error, ...shown }));
  });

  routes.post('/:id/off', async (c) => {
    const zap = requireZap(parts, c);
    // Also works when another tab removed the open step.
    const index = readWholeNumber(readOne(await readForm(c), 'at'), zap.steps.length - 1) ?? 0;
    const error = await subscriptions.turnOff(zap);
    return c.html(await renderZap(parts, zap, index, { error }));
  });

  routes.post('/:id/start', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (shown.problems) return c.html(await renderZap(parts, zap, index, shown));
    const [trigger] = zap.steps;
    return c.html(
      await runWhole(parts, zap, index, async () => runner.startWith(zap, 'live', trigger && exampleRecord(trigger))),
    );
  });
};

/** The calls of the Zap pane. */
export const zapRoutes = (parts: Parts): Hono<Env> => {
  const { zaps, live } = parts;
  const routes = new Hono<Env>();
  // A form reads its fields and dropdowns from the API.
  routes.use(async (c, next) => {
    await next();
    if (!c.req.path.includes('/runs')) live.changed('activity');
  });

  routes.post('/recipe', async (c) => {
    const zap = zaps.addRecipe(readWholeNumber(readOne(await readForm(c), 'recipe'), maxRecipes) ?? -1);
    if (!zap) throw new Refused('There is no such recipe. Choose one from the list.');
    return c.html(await renderZap(parts, zap, 0));
  });
  routes.post('/new', async (c) => c.html(await renderZap(parts, zaps.addNew(), 0)));
  routes.get('/', async (c) => c.html(await renderZap(parts, zaps.find(c.req.query('zap') ?? '') ?? zaps.newest(), 0)));
  addSteps(routes, parts);
  addRuns(routes, parts);
  routes.get('/:id', async (c) => {
    const zap = requireZap(parts, c);
    return c.html(await renderZap(parts, zap, requireStep(zap, c.req.query('step') ?? '0')));
  });
  return routes;
};
