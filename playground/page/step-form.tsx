import { operationOf } from '../../zapier/definition';
import { type Entered, enteredIn } from '../../zapier/merge';
import type { Problems } from '../../zapier/problems';
import type { Run } from '../../zapier/run';
import type { Zap } from '../../zapier/zap';
import { DelayForm } from './delay-form';
import { Mappings } from './mappings';
import { OperationSelect } from './operation-select';
import { OtherForm } from './other-form';
import { OwnForm } from './own-form';
import { Problem } from './problem';
import { Result } from './result';
import { inTurn, oneClick, swapZap } from './swap';
import { Was } from './was';

interface StepFormProps {
  zap: Zap;
  index: number;
  problems: Problems;
  /** What the form has for fields that another tab changed too. */
  conflicts?: Entered | undefined;
  /** What the fields that map data would have, by key. */
  previews: Record<string, string>;
  /** The run of the open step alone. */
  run?: Run | undefined;
}

const buttonLooks = { test: '', run: 'secondary outline', refresh: 'secondary outline', remove: 'quiet' };

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

/** The form of the open step, with what its last run gave. */
export const StepForm = (props: StepFormProps) => {
  const { zap, index, problems, conflicts = {}, run } = props;
  const step = zap.steps[index];
  if (!step) return null;
  const address = `/zap/${zap.id}/${index}`;
  const isTrigger = index === 0;
  return (
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
      <Was entered={enteredIn(step)} />
      <OperationSelect step={step} index={index} address={address} problem={problems.operation} />
      <Problem id="operation">{problems.operation}</Problem>
      {step.type !== 'delay' && step.onlyIf && (
        <p>
          Runs only if <span class="mapped">{step.onlyIf.value}</span>
          {step.onlyIf.is === undefined ? ` isn't "${step.onlyIf.isNot}"` : ` is "${step.onlyIf.is}"`}.
        </p>
      )}
      <Problem id="filter">{problems.filter}</Problem>
      {step.type === 'own' && (
        <OwnForm
          step={step}
          index={index}
          address={address}
          problems={problems}
          conflicts={conflicts}
          previews={props.previews}
        />
      )}
      {step.type === 'other' && (
        <OtherForm
          step={step}
          isTrigger={isTrigger}
          address={address}
          problems={problems}
          conflicts={conflicts}
          previews={props.previews}
        />
      )}
      {step.type === 'delay' && <DelayForm step={step} address={address} />}
      {!isTrigger && step.type !== 'delay' && <Mappings zap={zap} index={index} />}
      {step.type === 'own' && !isTrigger && (
        <p class="intro">Test step works like the test in Zapier's editor. Run works like a Zap that is on.</p>
      )}
      <p class="buttons">
        {step.type === 'own' && (
          <Act address={address} action="test">
            Test step
          </Act>
        )}
        {step.type === 'own' && !isTrigger && (
          <Act address={address} action="run">
            Run
          </Act>
        )}
        {step.type === 'own' && (
          <Act address={address} action="refresh">
            Refresh fields
          </Act>
        )}
        {index > 0 && (
          <Act address={address} action="remove">
            Remove step
          </Act>
        )}
      </p>
      {run && <Result zap={zap} index={index} run={run} />}
    </form>
  );
};
