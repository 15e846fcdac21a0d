import { dataToSend, type Field, groupFields } from '../zaps/fields';
import { delayPlace, findOperation, type Kind, kinds, operations, otherPlace, placeOf } from '../zaps/operations';
import type { Run } from '../zaps/run';
import { formatHours } from '../zaps/run-step';
import type { DelayStep, OtherStep, OwnStep, Step, Zap } from '../zaps/zap';
import { FormField } from './form-field';
import { Mappings } from './mappings';
import { describeProblem, Problem } from './problem';
import { Result } from './result';
import { inTurn, oneClick, reloadOnChange, swapZap } from './swap';

export interface StepFormProps {
  zap: Zap;
  index: number;
  /** The fields of the open step, when it is one of ours. */
  fields: readonly Field[];
  problems: Record<string, string>;
  /** The run of the open step alone. */
  run?: Run | undefined;
}

const kindLabels: Record<Kind, string> = { triggers: 'Triggers', creates: 'Actions', searches: 'Searches' };

const kindsAt = (index: number): readonly Kind[] => kinds.filter((kind) => (kind === 'triggers') === (index === 0));

interface OperationSelectProps {
  step: Step;
  index: number;
  address: string;
  problem: string | undefined;
}

const OperationSelect = ({ step, index, address, problem }: OperationSelectProps) => (
  <label>
    {index === 0 ? 'Trigger' : 'Action or search'}
    <select name="place" id="place" {...describeProblem('place', problem)} {...reloadOnChange(address)}>
      {kindsAt(index).map((kind) => (
        <optgroup label={kindLabels[kind]}>
          {operations
            .filter((each) => each.kind === kind)
            .map(({ place, label }) => (
              <option value={place} selected={placeOf(step) === place}>
                {label}
              </option>
            ))}
        </optgroup>
      ))}
      <option value={otherPlace} selected={placeOf(step) === otherPlace}>
        Another app
      </option>
      {index > 0 && (
        <option value={delayPlace} selected={placeOf(step) === delayPlace}>
          Delay by Zapier
        </option>
      )}
    </select>
  </label>
);

const OwnForm = ({ step, ...props }: StepFormProps & { step: OwnStep; address: string }) => {
  const operation = findOperation(step.place);
  if (!operation) return null;
  return (
    <>
      <p class="description">{operation.description}</p>
      {groupFields(operation, props.fields).map((group) => (
        <section class="group" aria-label={group.label ?? 'Fields'}>
          {group.label && <h4>{group.label}</h4>}
          {group.fields.map((field) => (
            <FormField
              field={field}
              value={step.values[field.key] ?? field.default ?? ''}
              chosen={step.labels[field.key]}
              problem={props.problems[field.key]}
              address={props.address}
            />
          ))}
        </section>
      ))}
    </>
  );
};

interface OtherFormProps {
  step: OtherStep;
  isTrigger: boolean;
  address: string;
  problems: Record<string, string>;
}

const OtherForm = ({ step, isTrigger, address, problems }: OtherFormProps) => (
  <>
    <label>
      App and event
      <input
        name="event"
        id="event"
        value={`${step.app}: ${step.event}`}
        maxlength={200}
        {...reloadOnChange(address)}
      />
    </label>
    {!isTrigger && (
      <section class="group" aria-label={dataToSend.label}>
        <FormField
          field={dataToSend}
          value={Object.fromEntries(
            Object.entries(step.fields).map(([name, value]) => [name, [value].flat().join(', ')]),
          )}
          chosen={undefined}
          problem={problems[dataToSend.key]}
          address={address}
        />
      </section>
    )}
    <label>
      {isTrigger ? 'Data of the other app, as JSON' : 'Data that the other app returns, as JSON'}
      <textarea
        name="json"
        id="json"
        rows={isTrigger ? 12 : 4}
        spellcheck={false}
        {...reloadOnChange(address)}
        {...describeProblem('json', problems.json)}
      >
        {step.json}
      </textarea>
    </label>
    <Problem id="json">{problems.json}</Problem>
  </>
);

const delays = [1, 2, 4, 8, 24, 48, 72, 168];

const DelayForm = ({ step, address }: { step: DelayStep; address: string }) => (
  <>
    <label>
      Delay for
      <select name="hours" id="hours" {...reloadOnChange(address)}>
        {[...new Set([...delays, step.hours])].map((hours) => (
          <option value={hours} selected={hours === step.hours}>
            {formatHours(hours)}
          </option>
        ))}
      </select>
    </label>
    <p>A run waits here. To continue sooner, move the clock forward under Simulate failures and time.</p>
  </>
);

const buttonLooks = { test: '', run: 'secondary outline', remove: 'quiet' };

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
  const { zap, index, problems, run } = props;
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
      <input type="hidden" name="fields-of" value={placeOf(step)} />
      <OperationSelect step={step} index={index} address={address} problem={problems.place} />
      <Problem id="place">{problems.place}</Problem>
      {step.type !== 'delay' && step.onlyIf && (
        <p>
          Runs only if <span class="mapped">{step.onlyIf.value}</span>
          {step.onlyIf.is === undefined ? ` isn't "${step.onlyIf.isNot}"` : ` is "${step.onlyIf.is}"`}.
        </p>
      )}
      <Problem id="filter">{problems.filter}</Problem>
      {step.type === 'own' && <OwnForm {...props} step={step} address={address} />}
      {step.type === 'other' && <OtherForm step={step} isTrigger={isTrigger} address={address} problems={problems} />}
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
