import { type Context, Hono } from 'hono';
import type { ServiceEvent } from '../../recipes/recipe';
import { sentenceOf } from '../../zapier/failure';
import { enteredIn } from '../../zapier/merge';
import { hasEnded, type Run } from '../../zapier/run';
import { hasSameValues } from '../../zapier/versions';
import type { Step, Zap } from '../../zapier/zap';
import type { Zaps } from '../../zapier/zaps';
import { Choices } from '../page/choices';
import { Preview } from '../page/preview';
import { Result } from '../page/result';
import { Was } from '../page/was';
import { type Shown, Zap as ZapPane } from '../page/zap';
import { ZapStatus } from '../page/zap-status';
import { applyEvent } from '../service/events';
import { addEmptyZap, addRecipe, emptyStep, eventsOf, newestZap, wantedZap } from '../service/new-zaps';
import { Refused } from '../service/refused';
import { readTemplateTexts } from '../service/template-texts';
import { findTour } from '../service/tour';
import { definition } from '../service/zapier';
import { type Posted, readAll, readForm, readOne, readWholeNumber } from './form';
import type { Env, Parts } from './parts';
import { applyForm, readEntered, saveStep } from './posted-step';

const maxRecipes = 1000;
const maxPage = 1000;
const maxTitle = 120;

/** The Zap that an address names. Throws a sentence when there is none. */
const requireZap = ({ zaps }: Parts, c: Context): Zap => {
  const zap = zaps.find(c.req.param('id') ?? '');
  if (!zap || zap.isDeleted) throw new Refused('This Zap no longer exists, so nothing changed. Reload the page.');
  return zap;
};

/** The position of the step that an address or a form names. Throws a sentence when it was removed. */
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

const versionsOf = (zaps: Zaps, zap: Zap) => ({ canUndo: zaps.canUndo(zap), canRedo: zaps.canRedo(zap) });

/** Renders a Zap with one step open, as it is. */
const renderZap = (parts: Parts, zap: Zap, index: number, shown: Shown = {}) => {
  const { zaps, editor } = parts;
  return (
    <ZapPane
      zap={zap}
      zaps={zaps.list()}
      deletedZaps={zaps.listDeleted()}
      index={index}
      runs={zaps.runs()}
      versions={versionsOf(zaps, zap)}
      previews={editor.preview(zap, index)}
      tour={findTour(parts, zap)}
      {...shown}
    />
  );
};

/** Opens a step, which may ask the app for its form, and renders its Zap. */
export const openZap = async (parts: Parts, zap: Zap, index: number, shown: Shown = {}) => {
  const error = await parts.editor.open(zap, index);
  return renderZap(parts, zap, index, { ...shown, error: shown.error ?? error });
};

/** Tests or runs a step alone, unless its form keeps it from running. */
const tryStep = async (parts: Parts, zap: Zap, index: number, isTest: boolean) => {
  const problems = await parts.editor.findProblems(zap, index);
  if (Object.keys(problems).length > 0) return renderZap(parts, zap, index, { problems });
  return renderZap(parts, zap, index, { run: await parts.editor.run(zap, index, isTest) });
};

/** Turns a Zap on or runs it, unless one of its steps can't run yet. */
const runWhole = async (parts: Parts, zap: Zap, index: number, work: () => Promise<unknown>) => {
  const problem = await parts.editor.findZapProblem(zap);
  if (problem) return openZap(parts, zap, problem.index, { problems: problem.problems, error: problem.sentence });
  const error = await work().then(() => undefined, sentenceOf);
  return openZap(parts, zap, index, { error });
};

/** Saves the form of the open step, which posts its position in `at`. */
const saveOpenStep = async (parts: Parts, c: Context): Promise<{ zap: Zap; index: number; shown: Shown }> => {
  const zap = requireZap(parts, c);
  const body = await readForm(c);
  const index = requireStep(zap, readOne(body, 'at') ?? '0', body);
  return { zap, index, shown: saveStep(parts, zap, index, body) };
};

/** Whether something of the form wasn't saved, so that nothing else may happen. */
const isStopped = ({ problems, conflicts }: Shown): boolean => problems !== undefined || conflicts !== undefined;

/** Carries out what a button of the step's form asks for, after the form was saved. */
const actOnStep = async (parts: Parts, zap: Zap, index: number, action: string | undefined, shown: Shown) => {
  if (isStopped(shown)) return openZap(parts, zap, index, shown);
  switch (action) {
    case 'test':
    case 'run':
      return tryStep(parts, zap, index, action === 'test');
    case 'refresh':
      return renderZap(parts, zap, index, { error: await parts.editor.refresh(zap, index) });
    case 'remove':
      parts.zaps.removeStep(zap, index);
      return openZap(parts, zap, Math.min(index, zap.steps.length - 1));
    case 'reload':
      return openZap(parts, zap, index, shown);
    default:
      return undefined;
  }
};

const renderChoices = async (parts: Parts, zap: Zap, index: number, key: string, body: Posted) => {
  const part = readOne(body, 'part') ?? '';
  const search = part ? (readOne(body, 'search') ?? '').slice(0, 200) : '';
  const page = readWholeNumber(readOne(body, 'page'), maxPage) ?? 0;
  const shown = { address: `/zap/${zap.id}/${index}`, field: key, part, search, page };
  const step = zap.steps[index];
  // What the form posts may not be saved yet.
  const posted = step && applyForm(step, body).changed;
  const values = posted?.type === 'own' ? posted.values : {};
  const texts = key === 'template' ? await readTemplateTexts(parts.service) : undefined;
  try {
    const found = await parts.editor.listChoices(zap, index, key, values, { search, page });
    return <Choices {...shown} {...found} texts={texts} hasValue={Boolean(values[key])} />;
  } catch (error) {
    return <Choices {...shown} choices={[]} hasMore={false} problem={sentenceOf(error)} />;
  }
};

const addSteps = (routes: Hono<Env>, parts: Parts): void => {
  routes.post('/:id/add', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (isStopped(shown)) return c.html(await openZap(parts, zap, index, shown));
    const position = readWholeNumber(c.req.query('before'), zap.steps.length) || zap.steps.length;
    parts.zaps.addStep(zap, position, emptyStep());
    return c.html(await openZap(parts, zap, Math.min(position, zap.steps.length - 1), shown));
  });

  routes.post('/:id/:step{[0-9]+}', async (c) => {
    const zap = requireZap(parts, c);
    const body = await readForm(c);
    const index = requireStep(zap, c.req.param('step'), body);
    const shown = saveStep(parts, zap, index, body);
    const pane = await actOnStep(parts, zap, index, readOne(body, 'action'), shown);
    const step = zap.steps[index];
    // A form that is only saved swaps nothing by itself.
    if (!pane && step) {
      // The form still shows what it posted, also where another tab changed a field.
      const entered = { ...enteredIn(step), ...readEntered(step, body) };
      const previews = parts.editor.preview(zap, index);
      const saved = (
        <>
          <Was entered={entered} />
          {readAll(body, 'shown').map((key) => (
            <Preview field={key} text={previews[key]} isUpdate />
          ))}
        </>
      );
      return c.html(saved, 200, { 'HX-Retarget': '#was', 'HX-Reswap': 'outerHTML' });
    }
    return c.html(pane ?? '', 200, { 'HX-Retarget': '#zap', 'HX-Reswap': 'outerMorph' });
  });

  routes.post('/:id/:step{[0-9]+}/choices/:field', async (c) => {
    const zap = requireZap(parts, c);
    const body = await readForm(c);
    const index = requireStep(zap, c.req.param('step'), body);
    return c.html(await renderChoices(parts, zap, index, c.req.param('field'), body));
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
  const renderStatus = (zap: Zap) => <ZapStatus zap={zap} runs={zaps.runs()} versions={versionsOf(zaps, zap)} />;

  // Another tab may have deleted the Zap that this page shows.
  routes.get('/:id/runs', (c) => c.html(renderStatus(zaps.find(c.req.param('id')) ?? requireZap(parts, c))));

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

  routes.post('/:id/runs/:run/autoreplay', async (c) => {
    const run = requireRun(parts, c);
    if (!run.failed) throw new Refused('This run has no failed step, so nothing was replayed. Reload the page.');
    await runner.autoreplay(run);
    return c.html(renderStatus(requireZap(parts, c)));
  });

  routes.post('/:id/on', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (isStopped(shown)) return c.html(await openZap(parts, zap, index, shown));
    return c.html(await runWhole(parts, zap, index, () => subscriptions.turnOn(zap)));
  });

  routes.post('/:id/event', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    const error = await applyAll(parts, eventsOf(zap)).then(() => undefined, sentenceOf);
    return c.html(await openZap(parts, zap, index, { error, ...shown }));
  });

  routes.post('/:id/publish', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (isStopped(shown)) return c.html(await openZap(parts, zap, index, shown));
    return c.html(await runWhole(parts, zap, index, () => subscriptions.publish(zap)));
  });

  routes.post('/:id/off', async (c) => {
    const zap = requireZap(parts, c);
    // Also works when another tab removed the open step.
    const index = readWholeNumber(readOne(await readForm(c), 'at'), zap.steps.length - 1) ?? 0;
    const error = await subscriptions.turnOff(zap);
    return c.html(await openZap(parts, zap, index, { error }));
  });

  routes.post('/:id/start', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (isStopped(shown)) return c.html(await openZap(parts, zap, index, shown));
    const [trigger] = zap.steps;
    return c.html(
      await runWhole(parts, zap, index, async () =>
        runner.startWith(zap, 'live', trigger && definition.exampleOf(trigger)),
      ),
    );
  });
};

/** The step that another version of the Zap changes, to show it. */
const changedStep = (before: readonly Step[], zap: Zap, open: number): number => {
  const changed = zap.steps.findIndex((step, at) => !hasSameValues(before[at], step));
  return Math.min(changed < 0 ? open : changed, zap.steps.length - 1);
};

const addVersions = (routes: Hono<Env>, parts: Parts): void => {
  const { zaps, subscriptions } = parts;
  /** The position of the open step, also when another tab removed it. */
  const openStep = async (zap: Zap, c: Context) =>
    readWholeNumber(readOne(await readForm(c), 'at'), zap.steps.length - 1) ?? 0;

  for (const direction of ['undo', 'redo'] as const) {
    routes.post(`/:id/${direction}`, async (c) => {
      const zap = requireZap(parts, c);
      const [open, before] = [await openStep(zap, c), zap.steps];
      zaps[direction](zap);
      return c.html(await openZap(parts, zap, changedStep(before, zap, open)));
    });
  }

  routes.post('/:id/rename', async (c) => {
    const zap = requireZap(parts, c);
    const body = await readForm(c);
    const title = (readOne(body, 'title') ?? '').trim().slice(0, maxTitle);
    if (title === '') throw new Refused('The Zap needs a name, so it kept the one it has. Enter one and try again.');
    zaps.change(zap, { title });
    return c.html(await openZap(parts, zap, readWholeNumber(readOne(body, 'at'), zap.steps.length - 1) ?? 0));
  });

  routes.post('/:id/duplicate', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (isStopped(shown)) return c.html(await openZap(parts, zap, index, shown));
    return c.html(await openZap(parts, zaps.duplicate(zap), index));
  });

  routes.post('/:id/delete', async (c) => {
    const zap = requireZap(parts, c);
    const error = await subscriptions.turnOff(zap);
    zaps.setDeleted(zap, true);
    return c.html(await openZap(parts, newestZap(zaps), 0, { deleted: zap, error }));
  });

  routes.post('/:id/restore', async (c) => {
    const zap = zaps.find(c.req.param('id'));
    if (!zap) throw new Refused('This Zap no longer exists. Reload the page.');
    zaps.setDeleted(zap, false);
    return c.html(await openZap(parts, zap, 0));
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
    // What a Zap runs, and what can be undone.
    if (c.req.method === 'POST') live.changed('runs');
  });

  routes.post('/recipe', async (c) => {
    const zap = addRecipe(zaps, readWholeNumber(readOne(await readForm(c), 'recipe'), maxRecipes) ?? -1);
    if (!zap) throw new Refused('There is no such recipe. Choose one from the list.');
    return c.html(await openZap(parts, zap, 0));
  });
  routes.post('/new', async (c) => c.html(await openZap(parts, addEmptyZap(zaps), 0)));
  routes.get('/', async (c) => c.html(await openZap(parts, wantedZap(zaps, c.req.query('zap')), 0)));
  addSteps(routes, parts);
  addRuns(routes, parts);
  addVersions(routes, parts);
  routes.get('/:id', async (c) => {
    const zap = requireZap(parts, c);
    return c.html(await openZap(parts, zap, requireStep(zap, c.req.query('step') ?? '0')));
  });
  return routes;
};
