import type { Hono } from 'hono';
import { sentenceOf } from '../../zapier/core/failure';
import { findProblemOfRun, formVersion, stateOf } from '../../zapier/editor/step-state';
import type { Problems } from '../../zapier/fields/values';
import { kindOf, type Step, stepAlone, types, type WrittenStep } from '../../zapier/kinds';
import { transformLabels } from '../../zapier/kinds/formatter';
import { withNewStep } from '../../zapier/zap/arrange';
import type { Zap } from '../../zapier/zap/zap';
import { Additions } from '../page/canvas/add-step';
import { Steps } from '../page/canvas/canvas';
import { Choices } from '../page/panel/choices';
import { FormVersion } from '../page/panel/form-version';
import { Stages } from '../page/panel/stages';
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

/** What the list of additions fills in of a step: an action of another app, or a transform of Formatter. */
const readyStep = (wanted: string): WrittenStep | undefined => {
  const [, kind, which = ''] = /^(example|formatter)\.(\w{1,20})$/.exec(wanted) ?? [];
  if (kind === 'example') return otherAppsAt(1)[Number(which)];
  return kind && Object.hasOwn(transformLabels, which) ? { type: 'formatter', transform: which } : undefined;
};

/** The steps with the one that the list of additions names. Throws a sentence when there is none. */
const withAddition = (steps: readonly Step[], position: number, wanted: string): Step[] => {
  const ready = readyStep(wanted);
  const operation = definition.find(wanted);
  const isKnown = ready ?? (operation ? operation.kind !== 'triggers' : types.includes(wanted) && wanted !== 'app');
  if (!isKnown) throw new Refused('A Zap has no such step. Choose one from the list.');
  if (!ready) return withNewStep(steps, position, wanted);
  const added = withNewStep(steps, position, ready.type);
  return added.with(position, stepAlone.parse({ ...added[position], ...ready }));
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

/** The calls of the open step. */
export const addSteps = (routes: Hono<Env>, parts: Parts): void => {
  routes.get('/:id/additions', (c) => {
    const zap = requireZap(parts, c);
    const at = readWholeNumber(c.req.query('before'), zap.steps.length) || zap.steps.length;
    return c.html(<Additions zap={zap} at={at} />);
  });

  routes.post('/:id/add', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (isStopped(shown)) return c.html(await openZap(parts, zap, index, shown));
    const position = readWholeNumber(c.req.query('before'), zap.steps.length) || zap.steps.length;
    const wanted = c.req.query('step') ?? firstAction;
    parts.zaps.arrange(zap, withAddition(zap.steps, position, wanted));
    const stage = wanted === 'other' ? 'setup' : 'configure';
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
