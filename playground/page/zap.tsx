import { findFailedField, findShownProblems, keptProblems } from '../../zapier/editor/problems';
import { findTest, type StepState, stateOf } from '../../zapier/editor/step-state';
import type { CheckedRule } from '../../zapier/fields/rules';
import type { Entered, Problems } from '../../zapier/fields/values';
import type { Run } from '../../zapier/runs/run';
import type { Zap as ZapModel } from '../../zapier/zap/zap';
import type { FieldPreview, MessagePreview } from '../service/message-preview';
import type { Tour } from '../service/tour';
import { definition } from '../service/zapier';
import { Gallery } from './gallery';
import { Guide } from './guide';
import { MessagePhone } from './message-phone';
import { Problem } from './problem';
import { type Stage, stagesOf } from './stages';
import { StepForm } from './step-form';
import { Steps } from './steps';
import { oneClick, showZap } from './swap';
import { DeletedZaps, JustDeleted, StartOver, type Steppable } from './versions';
import { ZapGuide } from './zap-guide';
import { ZapStatus } from './zap-status';

/** What to tell the person beside the Zap itself. */
export interface Shown {
  problems?: Problems | undefined;
  /** A sentence about the Zap as a whole. */
  error?: string | undefined;
  /** What the form has for fields that another tab changed too. */
  conflicts?: Entered | undefined;
  /** Whether a person edits the data of another app as JSON. */
  asJson?: boolean | undefined;
  /** The Zap that was just deleted. */
  deleted?: ZapModel | undefined;
  /** The run of the open step alone. */
  run?: Run | undefined;
  /** The part of the step's form that the person opened. */
  stage?: Stage | undefined;
  /** What a newcomer has done. */
  tour?: Tour | undefined;
}

interface ZapProps extends Shown {
  zap: ZapModel;
  zaps: readonly ZapModel[];
  /** What the fields of the open step that map data would have, by key. */
  previews: Record<string, FieldPreview>;
  /** The message that the open step would send, if it sends one. */
  message: MessagePreview | undefined;
  /** The rules of the open step with the data of the steps before. */
  checked: readonly CheckedRule[] | undefined;
  deletedZaps: readonly ZapModel[];
  versions: Steppable;
  /** The position of the open step. */
  index: number;
  runs: readonly Run[];
  /** What a run would refuse of each step, by the key of the field. */
  refusals: readonly Problems[];
}

/** Sentences at the fields of the open step: what shows at once, what its last test said, and what keeps it from running. */
const findProblems = ({ zap, index, problems }: ZapProps, state: StepState | undefined): Problems => {
  const step = zap.steps[index];
  if (!step) return {};
  const shown = findShownProblems(definition, step, zap.steps.slice(0, index));
  const failed = state?.status === 'failed' ? findFailedField(step, state.message) : {};
  return { ...failed, ...shown, ...keptProblems(step), ...problems };
};

/** The part of the form that shows: the one with a problem or a result, or else the one that the person opened. */
const stageToShow = ({ zap, index, problems, conflicts, run, stage }: ZapProps): Stage => {
  const step = zap.steps[index];
  if (problems?.operation) return 'setup';
  if (problems || conflicts) return 'configure';
  const wanted = run ? 'test' : stage;
  return wanted && step && stagesOf(step).includes(wanted) ? wanted : 'configure';
};

/** What each step of a Zap needs. */
export const statesOf = (zap: ZapModel, runs: readonly Run[], refusals: readonly Problems[]) =>
  zap.steps.map((_, at) => stateOf(definition, zap.steps, at, runs, refusals[at]));

const Chooser = ({ zap, zaps }: ZapProps) => (
  <div class="chooser">
    <label>
      Your Zaps
      <select name="zap" id="choose-zap" hx-get="/zap" hx-trigger="change" {...showZap}>
        {zaps.map(({ id, title, isOn }) => (
          <option value={id} selected={id === zap.id}>
            {title}
            {isOn ? ' (on)' : ''}
          </option>
        ))}
      </select>
    </label>
    <button type="button" id="new-zap" class="secondary outline" hx-post="/zap/new" {...oneClick.button} {...showZap}>
      New Zap
    </button>
    <Gallery />
  </div>
);

/** The Zap as its editor shows it, with the open step's form. */
export const Zap = (props: ZapProps) => {
  const { zap, index, runs, error, versions, deleted, tour, message } = props;
  const [states, stage] = [statesOf(zap, runs, props.refusals), stageToShow(props)];
  const step = zap.steps[index];
  const address = `zap=${zap.id}&step=${index}${stage === 'configure' ? '' : `&stage=${stage}`}`;
  return (
    <section id="zap" aria-labelledby="zap-title" tabindex={-1} data-address={address}>
      <h2 id="zap-title">Zap</h2>
      <p class="intro">Build a Zap as in Zapier's editor: fill in each step, test it, then turn the Zap on.</p>
      <Chooser {...props} />
      {tour && <Guide tour={tour} />}
      {deleted && <JustDeleted zap={deleted} />}
      <Problem id="shown-zap">{error}</Problem>
      <ZapStatus zap={zap} runs={runs} versions={versions} />
      <Steps zap={zap} index={index} states={states} />
      <div id="open-step" class={message ? 'with-phone' : ''}>
        <StepForm
          zap={zap}
          index={index}
          problems={findProblems(props, states[index])}
          conflicts={props.conflicts}
          asJson={props.asJson}
          previews={props.previews}
          checked={props.checked}
          stage={stage}
          state={states[index] ?? { status: 'complete' }}
          isReady={states.every(({ status }) => status !== 'incomplete')}
          run={props.run ?? (step && findTest(runs, step))}
        />
        {message && <MessagePhone message={message} zap={zap} index={index} />}
      </div>
      <footer class="rare">
        <ZapGuide zap={zap} />
        <DeletedZaps zaps={props.deletedZaps} />
        <StartOver />
      </footer>
    </section>
  );
};
