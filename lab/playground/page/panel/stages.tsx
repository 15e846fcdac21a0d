import type { StepState } from '../../../zapier/editor/step-state';
import { kindOf, type Step } from '../../../zapier/kinds';
import type { Zap } from '../../../zapier/zap/zap';
import { lookOf } from '../canvas/painted-run';
import { Button } from '../elements/button';
import { Icon, type IconName } from '../elements/icon';
import { isElsewhere, oneClick, posts, postWithStep, swapZap } from '../elements/swap';

/** The parts of a step's form, in the order in which a person fills it in. */
export const stages = ['setup', 'configure', 'test'] as const;
export type Stage = (typeof stages)[number];

/** The part that an address or a form names, if there is one. */
export const toStage = (name: string | undefined): Stage | undefined => stages.find((stage) => stage === name);

const stageTitles: Record<Stage, string> = { setup: 'Setup', configure: 'Configure', test: 'Test' };

/** The parts that a step's form has. */
export const stagesOf = (step: Step): readonly Stage[] =>
  kindOf(step).isTestable ? stages : stages.filter((stage) => stage !== 'test');

interface Mark {
  icon: IconName;
  label: string;
}

const incomplete: Mark = { icon: 'circle-alert', label: 'incomplete' };
const complete: Mark = { icon: 'check', label: 'complete' };

const markOf = (stage: Stage, state: StepState): Mark | undefined => {
  const isIncomplete = state.status === 'incomplete';
  const isSetUp = !isIncomplete || state.problems.operation === undefined;
  if (stage === 'setup') return isSetUp ? complete : incomplete;
  if (stage === 'configure') return isIncomplete && isSetUp ? incomplete : isSetUp ? complete : undefined;
  if (state.status === 'tested') return { icon: 'check', label: 'tested' };
  if (state.status !== 'failed') return undefined;
  const { look, icon } = lookOf(state.result);
  return { icon, label: look };
};

interface StagesProps {
  zap: Zap;
  /** The position of the open step. */
  index: number;
  shown: Stage;
  state: StepState;
  /** Whether it replaces the one on the page, after the step was saved. */
  isUpdate?: boolean;
}

/** Leads to each part of a step's form. Marks what is incomplete. */
export const Stages = ({ zap, index, shown, state, isUpdate = false }: StagesProps) => (
  <nav id="stages" class="stages" aria-label="Parts of the step" {...(isUpdate && isElsewhere)}>
    {zap.steps
      .slice(index, index + 1)
      .flatMap(stagesOf)
      .map((stage) => {
        const mark = markOf(stage, state);
        return (
          <Button
            id={`stage-${stage}`}
            class="quiet"
            aria-current={stage === shown ? 'true' : 'false'}
            {...(stage === shown && { 'data-focus': '' })}
            {...posts(`/zap/${zap.id}/${index}`, { action: 'reload', to: stage })}
            {...swapZap}
          >
            {stageTitles[stage]}
            {mark && (
              <span class={`stage-mark ${mark.label}`}>
                <Icon name={mark.icon} />
                <span class="visually-hidden">, {mark.label}</span>
              </span>
            )}
          </Button>
        );
      })}
  </nav>
);

interface ContinueProps {
  from: Stage;
  /** Attributes of htmx. */
  leads: object;
  isSecondary?: boolean;
}

/** Leads to the next part of the form, or to the next step. */
export const Continue = ({ from, leads, isSecondary = false }: ContinueProps) => (
  <Button
    id={`continue-${from}`}
    class={isSecondary ? 'outline' : 'primary'}
    {...leads}
    {...oneClick.button}
    {...swapZap}
  >
    Continue
  </Button>
);

interface OnwardProps {
  zap: Zap;
  /** The position of the open step. */
  index: number;
  from: Stage;
  /** Whether no step of the Zap is incomplete. */
  isReady: boolean;
  /** Whether something else has to be done first. */
  isSecondary?: boolean;
}

/** Leads to the next step. At the last one, turns the Zap on. */
export const Onward = ({ zap, index, from, isReady, isSecondary = false }: OnwardProps) => {
  if (index < zap.steps.length - 1) {
    return <Continue from={from} leads={{ 'hx-get': `/zap/${zap.id}?step=${index + 1}` }} isSecondary={isSecondary} />;
  }
  if (zap.isOn || !isReady) return null;
  return (
    <Button id="turn-on" class="outline" {...postWithStep(`/zap/${zap.id}/on`)}>
      Turn on the Zap
    </Button>
  );
};
