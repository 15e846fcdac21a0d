import { findShownProblems } from '../../zapier/editor/problems';
import { findProblemOfRun, type StepState } from '../../zapier/editor/step-state';
import type { CheckedRule } from '../../zapier/fields/rules';
import type { Problems } from '../../zapier/fields/values';
import type { Run } from '../../zapier/runs/run';
import type { Zap as ZapModel } from '../../zapier/zap/zap';
import type { FieldPreview, MessagePreview } from '../service/message-preview';
import type { OtherWindow } from '../service/other-windows';
import type { Story } from '../service/stories';
import type { Tour } from '../service/tour';
import { definition } from '../service/zapier';
import { Activity } from './activity/activity';
import { Bar } from './bar/bar';
import { News, Standing } from './bar/notices';
import { AddMenu } from './canvas/add-step';
import { Canvas, Steps } from './canvas/canvas';
import { Guide } from './canvas/guide';
import { findResult } from './canvas/painted-run';
import type { ZapView } from './elements/view';
import { Panel } from './panel/panel';
import { type Stage, stagesOf } from './panel/stages';
import { PreviewBubble } from './phone/preview-bubble';
import { OtherWindows } from './windows/windows';

/** What to tell the person beside the Zap itself. */
export interface Shown {
  problems?: Problems | undefined;
  /** A sentence about the Zap as a whole. */
  error?: string | undefined;
  /** The Zaps that were turned off because this one was turned on. */
  turnedOff?: readonly ZapModel[] | undefined;
  /** The Zap that was just deleted. */
  deleted?: ZapModel | undefined;
  /** The run of the open step alone, or the run of the whole Zap that a person chose to look at. */
  run?: Run | undefined;
  /** The part of the step's form that the person opened. */
  stage?: Stage | undefined;
  /** What a newcomer has done. */
  tour?: Tour | undefined;
  /** Whether the tour is all that shows, until it has run. */
  isFirst?: boolean | undefined;
}

interface ZapProps extends Shown, ZapView {
  /** What the fields of the open step that map data would have, by key. */
  previews: Record<string, FieldPreview>;
  /** The message that the open step would send, if it sends one. */
  message: MessagePreview | undefined;
  /** The rules of the open step with the data of the steps before. */
  checked: readonly CheckedRule[] | undefined;
  /** The values that the data of each rule can have. */
  ruleValues: readonly (readonly string[])[];
  /** The windows of the other apps. */
  windows: readonly OtherWindow[];
  /** What happened in the Zap and those of its recipe, newest first. */
  stories: readonly Story[];
}

/** Sentences at the fields of the open step: what shows at once, what its last test said, and what keeps it from running. */
const findProblems = ({ zap, index, problems }: ZapProps, state: StepState | undefined): Problems => {
  const step = zap.steps[index];
  if (!step) return {};
  const shown = findShownProblems(definition, step, zap.steps.slice(0, index));
  return { ...findProblemOfRun(step, state), ...shown, ...problems };
};

/** The part of the form that shows: the one with a problem or a result, or else the one that the person opened. */
const stageToShow = ({ zap, index, problems, run, stage }: ZapProps): Stage => {
  const step = zap.steps[index];
  if (problems?.operation) return 'setup';
  if (problems && Object.keys(problems).length > 0) return 'configure';
  const wanted = run ? 'test' : stage;
  return wanted && step && stagesOf(step).includes(wanted) ? wanted : 'configure';
};

const addressOf = ({ zap, index, chosen, isFirst }: ZapProps, stage: Stage): string =>
  isFirst
    ? ''
    : [
        `zap=${zap.id}&step=${index}`,
        stage === 'configure' ? '' : `&stage=${stage}`,
        chosen ? `&run=${chosen.id}` : '',
      ].join('');

/** The Zap as its editor shows it: the bar, the steps as a picture, and the open step's form. */
export const ZapPlaces = (props: ZapProps) => {
  const { zap, index, states, runs, tour, isFirst = false } = props;
  const stage = stageToShow(props);
  return (
    <div id="zap" class={isFirst ? 'first' : ''} data-address={addressOf(props, stage)}>
      <Bar {...props} />
      <div class="news">
        <News zap={zap} deleted={props.deleted} turnedOff={props.turnedOff} error={props.error} />
        <Standing zap={zap} />
      </div>
      {tour && <Guide tour={tour} />}
      <Canvas {...props} />
      <Panel
        {...props}
        problems={findProblems(props, states[index])}
        stage={stage}
        state={states[index] ?? { status: 'complete' }}
        isReady={states.every(({ status }) => status !== 'incomplete')}
        run={props.run ?? findResult(zap, index, runs, undefined)}
      />
      <OtherWindows zap={zap} windows={props.windows} />
      <AddMenu />
    </div>
  );
};

/** The Zap, on the phone what the open step would send, and what happened. */
export const Zap = (props: ZapProps) => (
  <>
    <ZapPlaces {...props} />
    <PreviewBubble message={props.message} zap={props.zap} index={props.index} isUpdate />
    <Activity {...props} isUpdate />
  </>
);

/** What changes with every run, and when another tab changes the Zap: the bar and the cards. */
export const ZapStatus = (view: ZapView) => (
  <>
    <Bar {...view} />
    <Standing zap={view.zap} isUpdate />
    <Steps {...view} isUpdate />
  </>
);
