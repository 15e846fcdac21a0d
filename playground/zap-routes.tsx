import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import app from '../src';
import type { Live } from './live';
import { Choices } from './page/choices';
import { Runs } from './page/runs';
import { Zap as ZapPane } from './page/zap';
import { runOnCore } from './zaps/core';
import { listChoices } from './zaps/dropdown';
import { type Field, findProblems, parseFields } from './zaps/fields';
import { bundleOf } from './zaps/run-step';
import { exampleRecord, type Runner, sentenceOf } from './zaps/runner';
import { findJsonProblem, parsePosted, readOne, saveForm } from './zaps/step-form';
import type { OwnStep, StepResult, Zap } from './zaps/zap';
import { readNumber, type Zaps } from './zaps/zaps';

export interface ZapParts {
  zaps: Zaps;
  runner: Runner;
  live: Live;
}

interface Shown {
  problems?: Record<string, string>;
  error?: string | undefined;
  result?: StepResult | undefined;
}

const definition = z.record(
  z.string(),
  z.looseObject({ operation: z.looseObject({ inputFields: z.optional(z.array(z.unknown())) }) }),
);

/** The form of an operation as the app defines it, with functions in place of some fields. */
const definedFields = ({ place }: OwnStep): readonly unknown[] => {
  const [kind, key = ''] = place.split('.');
  const all = definition.parse(kind === 'triggers' ? app.triggers : kind === 'creates' ? app.creates : app.searches);
  return all[key]?.operation.inputFields ?? [];
};

/** The fields of a step's form, from Zapier's core. None when the app can't give them, with the reason. */
const readFields = async (
  { runner }: ZapParts,
  zap: Zap,
  index: number,
): Promise<{ fields: Field[]; error?: string }> => {
  const step = zap.steps[index];
  if (step?.type !== 'own') return { fields: [] };
  const context = runner.contextOf(zap, index);
  const path = `${step.place}.operation.inputFields`;
  try {
    return { fields: parseFields(await runOnCore(path, bundleOf(step, context), { rpcUrl: context.rpcUrl })) };
  } catch (error) {
    return { fields: [], error: sentenceOf(error) };
  }
};

/** The pane of a Zap with one step open. */
export const renderZap = async (parts: ZapParts, zap: Zap, index: number, shown: Shown = {}) => {
  const { fields, error } = await readFields(parts, zap, index);
  return (
    <ZapPane
      zap={zap}
      zaps={parts.zaps.list()}
      index={index}
      fields={fields}
      problems={shown.problems ?? {}}
      error={shown.error ?? error}
      result={shown.result}
      runs={parts.zaps.runs()}
    />
  );
};

/** Sentences by field of a form that can't run yet. */
const findFormProblems = async (parts: ZapParts, zap: Zap, index: number): Promise<Record<string, string>> => {
  const step = zap.steps[index];
  if (step?.type === 'other') {
    const json = findJsonProblem(step.json);
    return json ? { json } : {};
  }
  if (step?.type !== 'own') return {};
  const { fields } = await readFields(parts, zap, index);
  return findProblems(fields, step.values, index);
};

/** The problem of the first step that can't run, as a sentence, and which step that is. */
const findZapProblem = async (parts: ZapParts, zap: Zap): Promise<{ index: number; shown: Shown } | undefined> => {
  for (const index of zap.steps.keys()) {
    const problems = await findFormProblems(parts, zap, index);
    const [first] = Object.values(problems);
    if (first) return { index, shown: { problems, error: `Step ${index + 1}: ${first}` } };
  }
  return undefined;
};

/** A step's error starts with the label of its field, so that the form can show it there. */
const problemsOf = async (
  parts: ZapParts,
  zap: Zap,
  index: number,
  result: StepResult,
): Promise<Record<string, string>> => {
  const message = result.failure?.message;
  if (!message) return {};
  const { fields } = await readFields(parts, zap, index);
  const field = fields.find(({ label }) => message.startsWith(`${label}:`) || message.startsWith(`${label} `));
  return field ? { [field.key]: message } : {};
};

const runStep = async (parts: ZapParts, zap: Zap, index: number, isTest: boolean) => {
  const problems = await findFormProblems(parts, zap, index);
  if (Object.keys(problems).length > 0) return renderZap(parts, zap, index, { problems });
  const run = await parts.runner.runOne(zap, index, isTest);
  const result = run.steps[0];
  if (!result) return renderZap(parts, zap, index);
  return renderZap(parts, zap, index, { result, problems: await problemsOf(parts, zap, index, result) });
};

/** Turns a Zap on or runs it, unless one of its steps can't run yet. */
const runWhole = async (parts: ZapParts, zap: Zap, work: () => Promise<unknown>) => {
  const problem = await findZapProblem(parts, zap);
  if (problem) return renderZap(parts, zap, problem.index, problem.shown);
  try {
    await work();
    return renderZap(parts, zap, 0);
  } catch (error) {
    return renderZap(parts, zap, 0, { error: sentenceOf(error) });
  }
};

/** The Zap's step that an address names, or the trigger when there is none. */
const stepOf = (zap: Zap, value: unknown): number => readNumber(value, 0, zap.steps.length - 1);

/** Saves the form of the open step, which posts its place in `at`. */
const saveOpenStep = async (c: Context, zap: Zap): Promise<Zap> => {
  const body = parsePosted(await c.req.parseBody({ all: true }));
  saveForm(zap, stepOf(zap, readOne(body, 'at')), body);
  return zap;
};

const addSteps = (routes: Hono<{ Bindings: HttpBindings }>, parts: ZapParts): void => {
  const { zaps } = parts;
  const found = (c: Context): Zap => zaps.find(c.req.param('id'));

  routes.post('/:id/add', async (c) => {
    const zap = await saveOpenStep(c, found(c));
    zaps.addStep(zap);
    return c.html(await renderZap(parts, zap, zap.steps.length - 1));
  });

  routes.post('/:id/:step{[0-9]+}', async (c) => {
    const zap = found(c);
    const index = stepOf(zap, c.req.param('step'));
    const body = parsePosted(await c.req.parseBody({ all: true }));
    saveForm(zap, index, body);
    switch (readOne(body, 'action')) {
      case 'test':
        return c.html(await runStep(parts, zap, index, true));
      case 'run':
        return c.html(await runStep(parts, zap, index, false));
      case 'remove':
        zaps.removeStep(zap, index);
        return c.html(await renderZap(parts, zap, Math.min(index, zap.steps.length - 1)));
      case 'reload':
        return c.html(await renderZap(parts, zap, index, { problems: await jsonProblems(zap, index) }));
      default:
        return c.body(null, 204);
    }
  });

  routes.post('/:id/:step{[0-9]+}/choices/:field', async (c) => {
    const zap = found(c);
    const index = stepOf(zap, c.req.param('step'));
    const body = parsePosted(await c.req.parseBody({ all: true }));
    saveForm(zap, index, body);
    const search = (readOne(body, 'search') ?? '').slice(0, 200);
    const page = readNumber(readOne(body, 'page'), 0, 1000);
    const common = {
      address: `/zap/${zap.id}/${index}`,
      field: c.req.param('field'),
      part: readOne(body, 'part') ?? '',
    };
    const shown = { ...common, search: common.part ? search : '', page };
    try {
      const list = await readChoices(parts, zap, index, shown);
      return c.html(<Choices {...shown} {...list} />);
    } catch (error) {
      return c.html(<Choices {...shown} choices={[]} hasMore={false} problem={sentenceOf(error)} />);
    }
  });
};

const jsonProblems = async (zap: Zap, index: number): Promise<Record<string, string>> => {
  const step = zap.steps[index];
  const json = step?.type === 'other' ? findJsonProblem(step.json) : undefined;
  return json ? { json } : {};
};

const readChoices = async (
  parts: ZapParts,
  zap: Zap,
  index: number,
  ask: { field: string; search: string; page: number },
) => {
  const step = zap.steps[index];
  const { fields } = await readFields(parts, zap, index);
  const field = fields.find(({ key }) => key === ask.field);
  if (step?.type !== 'own' || !field) return { choices: [], hasMore: false };
  return listChoices(definedFields(step), field, step, parts.runner.contextOf(zap, index), ask);
};

const addRuns = (routes: Hono<{ Bindings: HttpBindings }>, parts: ZapParts): void => {
  const { zaps, runner } = parts;

  routes.get('/:id/runs', (c) => c.html(<Runs zap={zaps.find(c.req.param('id'))} runs={zaps.runs()} />));

  routes.post('/:id/runs/:run/replay', async (c) => {
    const run = zaps.findRun(c.req.param('run'));
    if (run) await runner.replay(run);
    return c.html(<Runs zap={zaps.find(c.req.param('id'))} runs={zaps.runs()} />);
  });

  routes.post('/:id/on', async (c) => {
    const zap = await saveOpenStep(c, zaps.find(c.req.param('id')));
    return c.html(await runWhole(parts, zap, () => runner.turnOn(zap)));
  });

  routes.post('/:id/off', async (c) => {
    const zap = zaps.find(c.req.param('id'));
    const error = await runner.turnOff(zap).then(() => undefined, sentenceOf);
    return c.html(await renderZap(parts, zap, 0, { error }));
  });

  routes.post('/:id/start', async (c) => {
    const zap = await saveOpenStep(c, zaps.find(c.req.param('id')));
    const [trigger] = zap.steps;
    return c.html(await runWhole(parts, zap, async () => runner.start(zap, trigger && exampleRecord(trigger), 'live')));
  });
};

/** The calls of the Zap pane. */
export const zapRoutes = (parts: ZapParts): Hono<{ Bindings: HttpBindings }> => {
  const { zaps, live } = parts;
  const routes = new Hono<{ Bindings: HttpBindings }>();
  // A form reads its fields and dropdowns from the API.
  routes.use(async (c, next) => {
    await next();
    if (!c.req.path.endsWith('/runs')) live.changed('activity');
  });

  routes.post('/recipe', async (c) => {
    const body = parsePosted(await c.req.parseBody({ all: true }));
    const zap = zaps.addRecipe(readNumber(readOne(body, 'recipe'), -1, 1000)) ?? zaps.find(undefined);
    return c.html(await renderZap(parts, zap, 0));
  });
  routes.post('/new', async (c) => c.html(await renderZap(parts, zaps.addNew(), 0)));
  routes.get('/', async (c) => c.html(await renderZap(parts, zaps.find(c.req.query('zap')), 0)));
  addSteps(routes, parts);
  addRuns(routes, parts);
  routes.get('/:id', async (c) => {
    const zap = zaps.find(c.req.param('id'));
    return c.html(await renderZap(parts, zap, stepOf(zap, c.req.query('step'))));
  });
  return routes;
};
