import type { StepState } from '../../zapier/editor/step-state';
import type { Step } from '../../zapier/kinds';
import { hasPaths } from '../../zapier/zap/paths';
import { titleOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import { definition } from '../service/zapier';
import { AddStep } from './add-step';
import { stagesOf } from './stages';
import { swapZap } from './swap';

const firstSentence = (text: string): string => text.split('. ')[0] ?? '';

const describeProblems = (problems: readonly string[]): string => {
  const sentence = firstSentence(problems[0] ?? '');
  return problems.length > 1 ? `${sentence}, and ${problems.length - 1} more` : sentence;
};

const describe = (step: Step, state: StepState): { sign: string; text: string } => {
  switch (state.status) {
    case 'incomplete':
      return { sign: '!', text: describeProblems(Object.values(state.problems)) };
    case 'failed':
      return { sign: '✗', text: firstSentence(state.message) };
    case 'tested':
      return { sign: '✓', text: 'Tested' };
    default:
      return stagesOf(step).includes('test') ? { sign: '○', text: 'Not tested' } : { sign: '✓', text: 'Complete' };
  }
};

const State = ({ step, state }: { step: Step; state: StepState }) => {
  const { sign, text } = describe(step, state);
  return (
    <small class={`state ${state.status}`}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>{' '}
      {text}
    </small>
  );
};

/** Steps on a path are under it. */
const classOf = ({ steps }: Zap, at: number): string => {
  const isOnPath = hasPaths(steps.slice(0, at)) && !hasPaths(steps.slice(at, at + 1));
  return isOnPath ? 'on-path' : '';
};

interface StepsProps {
  zap: Zap;
  /** The position of the open step. */
  index: number;
  /** What each step needs. */
  states: readonly StepState[];
  /** Whether it replaces the list on the page, after a step was saved. */
  isUpdate?: boolean;
}

/** The steps of a Zap, each with what it needs, and a menu between them. */
export const Steps = ({ zap, index, states, isUpdate = false }: StepsProps) => {
  return (
    <ol id="steps" class="steps" aria-label="Steps" {...(isUpdate && { 'hx-swap-oob': 'outerMorph' })}>
      {zap.steps.map((step, at) => {
        const state = states[at];
        return (
          <li class={classOf(zap, at)}>
            {at > 0 && <AddStep zap={zap} at={at} />}
            <button
              type="button"
              id={`step-${at}`}
              class="row"
              aria-current={at === index ? 'step' : 'false'}
              hx-get={`/zap/${zap.id}?step=${at}`}
              {...swapZap}
            >
              <span dir="auto">
                {at + 1}. {titleOf(definition, step)}
              </span>{' '}
              {state && <State step={step} state={state} />}
            </button>
          </li>
        );
      })}
      <li>
        <AddStep zap={zap} at={zap.steps.length} />
      </li>
    </ol>
  );
};
