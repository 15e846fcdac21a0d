import { isCurrent, type StepState } from '../../zapier/editor/step-state';
import type { CheckedRule } from '../../zapier/fields/rules';
import type { Entered, Problems } from '../../zapier/fields/values';
import { kindOf, type Step } from '../../zapier/kinds';
import type { Run } from '../../zapier/runs/run';
import { asApp, hasRules, operationOf, titleOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import type { FieldPreview } from '../service/message-preview';
import { definition } from '../service/zapier';
import { FieldsForm } from './fields-form';
import { Mappings } from './mappings';
import { Onward } from './onward';
import { OtherForm } from './other-form';
import { Result } from './result';
import { RulesForm } from './rules-form';
import { SetupForm } from './setup-form';
import { Continue, type Stage, Stages } from './stages';
import { StepActions } from './step-actions';
import { inTurn, oneClick, swapZap } from './swap';
import { Was } from './was';

interface StepFormProps {
  zap: Zap;
  index: number;
  /** The part of the form that shows. The others keep what a person entered there. */
  stage: Stage;
  state: StepState;
  /** Whether no step of the Zap is incomplete. */
  isReady: boolean;
  problems: Problems;
  /** What the form has for fields that another tab changed too. */
  conflicts?: Entered | undefined;
  /** Whether a person edits the data of another app as JSON. */
  asJson?: boolean | undefined;
  /** What the fields that map data would have, by key. */
  previews: Record<string, FieldPreview>;
  /** The rules with the data of the steps before. */
  checked: readonly CheckedRule[] | undefined;
  /** The last run of the step alone. */
  run?: Run | undefined;
}

interface OpenStepProps extends StepFormProps {
  step: Step;
  address: string;
}

const buttonLooks = { test: '', run: 'secondary outline', refresh: 'secondary outline' };

interface ActProps {
  address: string;
  action: keyof typeof buttonLooks;
  children: string;
}

const Act = ({ address, action, children }: ActProps) => (
  <button
    type="button"
    id={`act-${action}`}
    class={buttonLooks[action]}
    hx-post={address}
    hx-vals={JSON.stringify({ action })}
    {...oneClick.button}
    {...swapZap}
  >
    {children}
  </button>
);

const Fields = ({ step, ...props }: OpenStepProps) => {
  const { index, address, problems, conflicts = {}, previews } = props;
  const common = { address, problems, conflicts, previews };
  if (hasRules(step)) return <RulesForm step={step} checked={props.checked} {...common} />;
  if (step.type !== 'other') return <FieldsForm step={step} index={index} {...common} />;
  return <OtherForm step={step} isTrigger={index === 0} asJson={props.asJson ?? false} {...common} />;
};

const Configure = (props: OpenStepProps) => {
  const { zap, index, step, address, isReady } = props;
  return (
    <>
      <Fields {...props} />
      {index > 0 && <Mappings zap={zap} index={index} />}
      <div class="buttons">
        {kindOf(step).isTestable ? (
          <Continue
            from="configure"
            leads={{ 'hx-post': address, 'hx-vals': JSON.stringify({ action: 'continue' }) }}
          />
        ) : (
          <Onward zap={zap} index={index} from="configure" isReady={isReady} />
        )}
        {asApp(step) && (
          <Act address={address} action="refresh">
            Refresh fields
          </Act>
        )}
      </div>
    </>
  );
};

/** Whether a test ended with an error, which says nothing of a step that changed since. */
const hasFailed = ({ status }: Run): boolean => status === 'error' || status === 'halted';

const Test = (props: OpenStepProps) => {
  const { zap, index, step, address, run, state, isReady } = props;
  const isChanged = run !== undefined && !isCurrent(run, step, zap.steps);
  return (
    <>
      {asApp(step) && index > 0 && (
        <p class="intro">
          <strong>Test step</strong> does what a test in Zapier's editor does. <strong>Run</strong> does what a live Zap
          does.
        </p>
      )}
      <div class="buttons">
        <Act address={address} action="test">
          Test step
        </Act>
        {asApp(step) && index > 0 && (
          <Act address={address} action="run">
            Run
          </Act>
        )}
        <Onward zap={zap} index={index} from="test" isReady={isReady} isSecondary={state.status !== 'tested'} />
      </div>
      {run && isChanged && <p class="intro">The step changed since its last test. Test it again.</p>}
      {run && !(isChanged && hasFailed(run)) && <Result zap={zap} index={index} run={run} />}
    </>
  );
};

/** The open step: what can be done with it, and its form in parts. */
export const StepForm = (props: StepFormProps) => {
  const { zap, index, stage, state, problems } = props;
  const step = zap.steps[index];
  if (!step) return null;
  const address = `/zap/${zap.id}/${index}`;
  const open = { ...props, step, address };
  return (
    <>
      <h3 id="step-title" class="step-title" dir="auto">
        {index + 1}. {titleOf(definition, step)}
      </h3>
      <StepActions zap={zap} index={index} />
      <form
        id="step"
        hx-post={address}
        hx-trigger="change, submit"
        hx-swap="none"
        {...inTurn}
        autocomplete="off"
        novalidate
      >
        <input type="hidden" name="at" value={index} />
        <input type="hidden" name="step" value={step.id} />
        <input type="hidden" name="fields-of" value={operationOf(step)} />
        <input type="hidden" name="stage" value={stage} />
        <Was entered={kindOf(step).entered(step)} />
        <Stages step={step} address={address} shown={stage} state={state} />
        <div class="stage" hidden={stage !== 'setup'}>
          <SetupForm step={step} index={index} address={address} problem={problems.operation} />
          <p class="buttons">
            <Continue
              from="setup"
              leads={{ 'hx-post': address, 'hx-vals': JSON.stringify({ action: 'reload', to: 'configure' }) }}
            />
          </p>
        </div>
        <div class="stage" hidden={stage !== 'configure'}>
          <Configure {...open} />
        </div>
        {kindOf(step).isTestable && (
          <div class="stage" hidden={stage !== 'test'}>
            <Test {...open} />
          </div>
        )}
      </form>
    </>
  );
};
