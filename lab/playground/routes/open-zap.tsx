import type { Context } from 'hono';
import { stateOf } from '../../zapier/editor/step-state';
import type { Run } from '../../zapier/runs/run';
import { hasRules } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import { isWholeRun } from '../page/canvas/painted-run';
import type { ZapView } from '../page/elements/view';
import { type Stage, toStage } from '../page/panel/stages';
import { type Shown, Zap as ZapPane } from '../page/zap';
import { valuesOf } from '../service/known-values';
import { previewStep } from '../service/message-preview';
import { readWindows } from '../service/other-windows';
import { Refused } from '../service/refused';
import { listStories } from '../service/stories';
import { findTour } from '../service/tour';
import { definition } from '../service/zapier';
import { type Posted, readForm, readOne, readWholeNumber } from './form';
import type { Parts } from './parts';
import { saveStep } from './posted-step';

/** The Zap that an address names. Throws a sentence when there is none. */
export const requireZap = ({ zaps }: Parts, c: Context): Zap => {
  const zap = zaps.find(c.req.param('id') ?? '');
  if (!zap || zap.isDeleted) throw new Refused('This Zap no longer exists, so nothing changed. Reload the page.');
  return zap;
};

/** The Zap that a part of the page shows again. It may be deleted, since another tab may have deleted it. */
export const requireShownZap = (parts: Parts, c: Context): Zap =>
  parts.zaps.find(c.req.param('id') ?? '') ?? requireZap(parts, c);

/** The position of the step that an address or a form names. Throws a sentence when it was removed. */
export const requireStep = (zap: Zap, value: unknown, body?: Posted): number => {
  const index = readWholeNumber(value, zap.steps.length - 1);
  const id = body && readOne(body, 'step');
  if (index !== undefined && (id === undefined || zap.steps[index]?.id === id)) return index;
  throw new Refused('This step was changed or removed in another tab, so nothing was saved. Reload the page.');
};

/** The run of a whole Zap that an address names, if there is one. */
export const findWholeRun = ({ runs }: Parts, zap: Zap, id = ''): Run | undefined => {
  const run = runs.find(id);
  return run?.zapId === zap.id && isWholeRun(run) ? run : undefined;
};

/** Reads what the bar, the cards and the runs of a Zap show. */
export const readView = async (parts: Parts, zap: Zap, index: number, chosen?: Run): Promise<ZapView> => {
  const { zaps, editor } = parts;
  const [runs, refusals] = [parts.runs.list(), await editor.findRefusals(zap)];
  return {
    zap,
    index,
    chosen,
    runs,
    zaps: zaps.list(),
    deletedZaps: zaps.listDeleted(),
    versions: { canUndo: zaps.canUndo(zap), canRedo: zaps.canRedo(zap) },
    states: zap.steps.map((_, at) => stateOf(definition, zap.steps, at, runs, refusals[at])),
  };
};

/** The values that the data of each rule of a step can have. */
const readRuleValues = async ({ service }: Parts, { steps }: Zap, index: number) => {
  const step = steps[index];
  if (!step || !hasRules(step)) return [];
  const templates = await service.listTemplates().catch(() => []);
  return step.rules.map((rule) => valuesOf(steps, rule, templates));
};

/** Reads a Zap with one step open, as it is. */
const readZap = async (parts: Parts, zap: Zap, index: number, shown: Shown) => {
  const tour = findTour(parts, zap, shown.isFirst);
  const { fields, message } = await previewStep(parts, zap, index);
  return {
    ...(await readView(parts, zap, index, shown.run && isWholeRun(shown.run) ? shown.run : undefined)),
    previews: fields,
    message,
    checked: parts.editor.checkRules(zap, index),
    ruleValues: await readRuleValues(parts, zap, index),
    tour,
    windows: readWindows(parts, zap),
    stories: listStories(parts, zap),
    ...shown,
    isFirst: tour !== undefined && !tour.isPlaying,
  };
};

/** Opens a step, which may ask the app for its form, and reads its Zap. */
export const readOpened = async (parts: Parts, zap: Zap, index: number, shown: Shown = {}) => {
  const error = await parts.editor.open(zap, index);
  return readZap(parts, zap, index, { ...shown, error: shown.error ?? error });
};

/** Renders a Zap with one step open, as it is. */
export const renderZap = async (parts: Parts, zap: Zap, index: number, shown: Shown = {}) => (
  <ZapPane {...(await readZap(parts, zap, index, shown))} />
);

/** Opens a step, which may ask the app for its form, and renders its Zap. */
export const openZap = async (parts: Parts, zap: Zap, index: number, shown: Shown = {}) => (
  <ZapPane {...(await readOpened(parts, zap, index, shown))} />
);

/** Whether something of the form wasn't saved, so that nothing else may happen. */
export const isStopped = ({ problems }: Shown): boolean => problems !== undefined;

/** The step that a form posts, and what to show of it. */
export interface Opened {
  zap: Zap;
  index: number;
  shown: Shown;
}

/** The part of a step's form that the person opens, or has open. */
export const readStage = (body: Posted): Stage | undefined => toStage(readOne(body, 'to') ?? readOne(body, 'stage'));

/** Saves the form of the open step, which posts its position in `at`. */
export const saveOpenStep = async (parts: Parts, c: Context): Promise<Opened> => {
  const zap = requireZap(parts, c);
  const body = await readForm(c);
  const index = requireStep(zap, readOne(body, 'at') ?? '0', body);
  return { zap, index, shown: { ...saveStep(parts, zap, index, body), stage: readStage(body) } };
};
