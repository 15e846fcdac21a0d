import type { Context, Hono } from 'hono';
import { sentenceOf } from '../../zapier/core/failure';
import { withOperation } from '../../zapier/editor/change-operation';
import { findProblemOfRun, formVersion, stateOf } from '../../zapier/editor/step-state';
import type { Problems } from '../../zapier/fields/values';
import { kindOf, type Step, stepAlone, types, type WrittenStep } from '../../zapier/kinds';
import { transformLabels } from '../../zapier/kinds/formatter';
import { withNewStep } from '../../zapier/zap/arrange';
import { isPath } from '../../zapier/zap/paths';
import { operationOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import { Additions } from '../page/canvas/add-step';
import { Steps } from '../page/canvas/canvas';
import { Choices } from '../page/panel/choices';
import { FormVersion } from '../page/panel/form-version';
import { type Stage, Stages } from '../page/panel/stages';
import type { Shown } from '../page/zap';
import { otherAppsAt } from '../service/other-apps';
import { Refused } from '../service/refused';
import { definition } from '../service/zapier';
import { arrangeSteps } from './arrange-steps';
import { type Posted, readAll, readForm, readOne, readWholeNumber } from './form';
import { renderPreviews } from './message';
import { isStopped, openZap, readStage, readView, renderZap, requireStep, requireZap, saveOpenStep } from './open-zap';
import type { Env, Parts } from './parts';
import { applyForm, saveStep } from './posted-step';

const firstAction = 'creates.send_message';

/** What the list of steps fills in: a step of another app, or a transform of Formatter. */
const readyStep = (position: number, wanted: string): WrittenStep | undefined => {
  const [, kind, which = ''] = /^(example|formatter)\.(\w{1,20})$/.exec(wanted) ?? [];
  if (kind === 'example') return otherAppsAt(position)[Number(which)];
  return kind && Object.hasOwn(transformLabels, which) ? { type: 'formatter', transform: which } : undefined;
};

/** Whether the list of steps has a step for a position. */
const isListed = (position: number, wanted: string, ready: WrittenStep | undefined): boolean => {
  if (ready) return position > 0 || ready.type === 'other';
  const operation = definition.find(wanted);
  return position > 0 && (operation ? operation.kind !== 'triggers' : types.includes(wanted) && wanted !== 'app');
};

/** What the list of steps names: the operation, and what it fills in. Throws a sentence when there is none. */
const readWanted = (position: number, wanted: string) => {
  const ready = readyStep(position, wanted);
  if (!isListed(position, wanted, ready)) throw new Refused('A Zap has no such step. Choose one from the list.');
  return { operation: ready?.type ?? wanted, ready };
};

/** The steps with a new one at a position. */
const withAddition = (steps: readonly Step[], position: number, wanted: string): Step[] => {
  const { operation, ready } = readWanted(position, wanted);
  const added = withNewStep(steps, position, operation);
  return ready ? added.with(position, stepAlone.parse({ ...added[position], ...ready })) : added;
};

/** The steps with one that does something else. What it did before is kept, for a person who changes it back. */
const withChange = (steps: readonly Step[], position: number, wanted: string): Step[] => {
  const { operation, ready } = readWanted(position, wanted);
  const step = steps[position];
  if (!step || isPath(step) || (!ready && operation === operationOf(step))) return [...steps];
  const changed = withOperation(definition, step, operation);
  const given = ready && stepAlone.parse({ ...ready, id: step.id });
  return steps.with(position, given ? { ...given, before: changed.before } : changed);
};

/** The part of its form that a step begins with. A trigger of another app has nothing to fill in. */
const firstStage = (position: number, wanted: string): Stage => {
  if (wanted === 'other') return 'setup';
  return position === 0 ? 'test' : 'configure';
};

/** Leads on to the test of a step, unless something is left to fill in. */
const continueStep = async (parts: Parts, zap: Zap, index: number) => {
  const problems = await parts.editor.findLiveProblems(zap, index);
  return renderZap(parts, zap, index, Object.keys(problems).length > 0 ? { problems } : { stage: 'test' });
};

/** Tests a step, unless its form keeps it from running. */
const testStep = async (parts: Parts, zap: Zap, index: number) => {
  const problems = await parts.editor.findProblems(zap, index);
  if (Object.keys(problems).length > 0) return renderZap(parts, zap, index, { problems });
  return renderZap(parts, zap, index, { run: await parts.editor.run(zap, index, true) });
};

/** Carries out what a button of the step's form asks for, after the form was saved. */
const actOnStep = async (parts: Parts, zap: Zap, index: number, body: Posted, shown: Shown) => {
  if (isStopped(shown)) return openZap(parts, zap, index, shown);
  const arranged = arrangeSteps(parts, zap, index, body);
  if (arranged) return openZap(parts, zap, arranged.index, { error: arranged.error });
  switch (readOne(body, 'action')) {
    case 'continue':
      return continueStep(parts, zap, index);
    case 'test':
      return testStep(parts, zap, index);
    case 'refresh':
      return renderZap(parts, zap, index, { error: await parts.editor.refresh(zap, index) });
    case 'reload':
      return openZap(parts, zap, index, shown);
    default:
      return undefined;
  }
};

const renderChoices = async (parts: Parts, zap: Zap, index: number, key: string, body: Posted) => {
  const from = readOne(body, 'from') || undefined;
  const shown = { address: `/zap/${zap.id}/${index}`, field: key, from };
  const step = zap.steps[index];
  // What the form posts may not be saved yet.
  const posted = step && applyForm(step, index, body);
  const values = posted ? kindOf(posted).entered(posted) : {};
  try {
    const found = await parts.editor.listChoices(zap, index, key, values, from);
    return <Choices {...shown} {...found} hasValue={Boolean(values[key])} />;
  } catch (error) {
    return <Choices {...shown} choices={[]} problem={sentenceOf(error)} />;
  }
};

/** What changes on the page when a step is only saved. */
const renderSaved = async (parts: Parts, zap: Zap, index: number, step: Step, body: Posted) => {
  const view = await readView(parts, zap, index);
  const [state, shown] = [view.states[index], readStage(body) ?? 'configure'];
  return (
    <>
      <FormVersion version={formVersion(step)} />
      <Steps {...view} isUpdate />
      {state && <Stages zap={zap} index={index} shown={shown} state={state} isUpdate />}
      {await renderPreviews(parts, zap, index, step, body)}
    </>
  );
};

/** What is still wrong of what the form shows as wrong. Undefined when nothing changed. */
const remainingProblems = async (
  { editor, runs }: Parts,
  zap: Zap,
  index: number,
  body: Posted,
): Promise<Problems | undefined> => {
  const [shown, step] = [readAll(body, 'refused'), zap.steps[index]];
  if (shown.length === 0 || !step) return undefined;
  const state = stateOf(definition, zap.steps, index, runs.list());
  const now = Object.entries({ ...(await editor.findLiveProblems(zap, index)), ...findProblemOfRun(step, state) });
  const left = now.filter(([key]) => shown.includes(key));
  return left.length < new Set(shown).size ? Object.fromEntries(left) : undefined;
};

/** Where a chosen step goes: in place of one, before one, or at the end. */
const readPlace = ({ steps }: Zap, c: Context): { position: number; isChange: boolean } => {
  const instead = readWholeNumber(c.req.query('instead'), steps.length - 1);
  const position = instead ?? (readWholeNumber(c.req.query('before'), steps.length) || steps.length);
  return { position, isChange: instead !== undefined };
};

/** The calls of the open step. */
export const addSteps = (routes: Hono<Env>, parts: Parts): void => {
  routes.get('/:id/additions', (c) => {
    const zap = requireZap(parts, c);
    const { position, isChange } = readPlace(zap, c);
    return c.html(<Additions zap={zap} at={position} isChange={isChange} />);
  });

  routes.post('/:id/add', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (isStopped(shown)) return c.html(await openZap(parts, zap, index, shown));
    const { position, isChange } = readPlace(zap, c);
    const wanted = c.req.query('step') ?? firstAction;
    if (isChange) parts.zaps.change(zap, { steps: withChange(zap.steps, position, wanted) });
    else parts.zaps.arrange(zap, withAddition(zap.steps, position, wanted));
    const stage = firstStage(position, wanted);
    return c.html(await openZap(parts, zap, Math.min(position, zap.steps.length - 1), { ...shown, stage }));
  });

  routes.post('/:id/:step{[0-9]+}', async (c) => {
    const zap = requireZap(parts, c);
    const body = await readForm(c);
    const index = requireStep(zap, c.req.param('step'), body);
    const shown = { ...saveStep(parts, zap, index, body), stage: readStage(body) };
    const acted = await actOnStep(parts, zap, index, body, shown);
    const problems = acted ? undefined : await remainingProblems(parts, zap, index, body);
    const pane = acted ?? (problems && (await openZap(parts, zap, index, { ...shown, problems })));
    const step = zap.steps[index];
    // A form that is only saved swaps nothing by itself.
    if (!pane && step) {
      return c.html(await renderSaved(parts, zap, index, step, body), 200, {
        'HX-Retarget': '#version',
        'HX-Reswap': 'outerHTML',
      });
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
