import { type StepResult, statusText } from '../../../zapier/core/result';
import type { StepState } from '../../../zapier/editor/step-state';
import { replaceReferences } from '../../../zapier/fields/mapping';
import { type AppStep, kindOf, type Step } from '../../../zapier/kinds';
import type { Run } from '../../../zapier/runs/run';
import { asApp, hasRecord, hasRules, titleOf } from '../../../zapier/zap/steps';
import type { Zap } from '../../../zapier/zap/zap';
import { nameOfPath } from '../../service/name-of-path';
import { explainStop, firstSentence, hasStopped } from '../../service/run-notes';
import { definition } from '../../service/zapier';
import { appOf, StepIcon } from '../elements/app-icon';
import { Button } from '../elements/button';
import { Icon, type IconName } from '../elements/icon';
import { nameOfChoice } from '../elements/readable';
import { swapZap } from '../elements/swap';
import { channelName } from '../phone/customer';
import { describeCondition } from './condition';
import { lookOf } from './painted-run';

/** How a card shows its step's state. */
interface CardLook {
  look: string;
  icon: IconName;
  text: string;
  /** In place of what the step does. */
  line?: string | undefined;
}

const describeProblems = (problems: readonly string[]): string => {
  const sentence = firstSentence(problems[0] ?? '');
  return problems.length > 1 ? `${sentence}, and ${problems.length - 1} more` : sentence;
};

const describeResult = (result: StepResult, step: Step): CardLook => {
  const [shown, text] = [lookOf(result), statusText[result.status]];
  const line = hasStopped(result) || result.failure ? explainStop(result, step) : undefined;
  return { ...shown, text, line: line ?? (shown.look === 'waits' ? text : undefined) };
};

const describeState = (step: Step, state: StepState): CardLook => {
  switch (state.status) {
    case 'incomplete': {
      const line = describeProblems(Object.values(state.problems));
      return { look: 'incomplete', icon: 'circle-alert', text: 'Incomplete', line };
    }
    case 'failed':
      return describeResult(state.result, step);
    case 'tested':
      return { look: 'tested', icon: 'circle-check', text: 'Tested' };
    default:
      return kindOf(step).isTestable
        ? { look: 'untested', icon: 'circle-dashed', text: 'Not tested' }
        : { look: 'tested', icon: 'circle-check', text: 'Complete' };
  }
};

/** The name of what a reference maps, without its step. */
const plain = (text: string): string => replaceReferences(text, (_, path) => nameOfPath(path.split('.').at(-1) ?? ''));

const maxPart = 60;

/** The channel and the template of a step that nobody opened yet, by the names that the service will give them. */
const describeUnopened = ({ values: { channel, template } }: AppStep): string[] => [
  ...(typeof channel === 'string' ? [channelName(channel)] : []),
  ...(typeof template === 'string' ? [template.charAt(0).toUpperCase() + template.slice(1).replaceAll('_', ' ')] : []),
];

/** What a step does in a line, such as "WhatsApp · Parcel out for delivery". */
const describeStep = (step: Step): string => {
  if (hasRules(step) && step.type === 'path' && step.rules.length === 0) return 'If no path before it runs';
  if (hasRules(step)) return step.rules.map((rule) => plain(describeCondition(rule))).join(', and ');
  const app = asApp(step);
  const labels = Object.values(app?.labels ?? {}).map(nameOfChoice);
  const chosen = labels.length === 0 && app ? describeUnopened(app).map(plain) : labels;
  const [entered = ''] = hasRecord(step) ? Object.values(step.fields).flat() : [];
  const parts = chosen.length > 0 ? chosen : [appOf(step), plain(entered)];
  return parts
    .filter(Boolean)
    .map((part) => part.slice(0, maxPart))
    .slice(0, 2)
    .join(' · ');
};

/** What the card of a step is called: its name, or the event without its app, which the line below names. */
export const cardTitle = (step: Step): string =>
  step.name ?? (hasRecord(step) ? step.event : kindOf(step).title(step, definition));

interface CardProps {
  zap: Zap;
  step: Step;
  at: number;
  isOpen: boolean;
  state: StepState;
  /** What the run that the canvas shows did here. */
  result: StepResult | undefined;
  /** The run that a person chose to look at. */
  chosen?: Run | undefined;
}

/** A step that failed or waits opens with what happened, any other one with its fields. */
const addressOf = ({ zap, at, chosen }: CardProps, { look }: CardLook): string => {
  const shown = new URLSearchParams({ step: `${at}` });
  if (['failed', 'waits'].includes(look)) shown.set('stage', 'test');
  if (shown.has('stage') && chosen) shown.set('run', chosen.id);
  return `/zap/${zap.id}?${shown}`;
};

/** A step on the canvas: its app, what it does, and its state. */
export const Card = (props: CardProps) => {
  const { step, at, isOpen, state, result } = props;
  const isShown = result && (state.status !== 'incomplete' || hasStopped(result));
  const shown = isShown ? describeResult(result, step) : describeState(step, state);
  return (
    <Button
      id={`step-${at}`}
      class={`step-card ${shown.look}`}
      title={`${at + 1}. ${titleOf(definition, step)}`}
      aria-current={isOpen ? 'step' : 'false'}
      data-shows="step"
      hx-get={addressOf(props, shown)}
      {...swapZap}
    >
      <StepIcon step={step} />
      <span class="card-text">
        <strong dir="auto">
          {at + 1}. {cardTitle(step)}
        </strong>{' '}
        <span class="line" dir="auto">
          {shown.line ?? describeStep(step)}
        </span>
      </span>
      <span class="state">
        <Icon name={shown.icon} />
        <span class="visually-hidden"> {shown.text}</span>
      </span>
    </Button>
  );
};
