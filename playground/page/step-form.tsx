import { formatHours, type Kind, kinds, type Operation, operationOf } from '../../zapier/definition';
import type { Field } from '../../zapier/form';
import { type Entered, enteredIn, fingerprintsOf } from '../../zapier/merge';
import type { Problems } from '../../zapier/problems';
import type { Run } from '../../zapier/run';
import type { DelayStep, OtherStep, OwnStep, Step, Zap } from '../../zapier/zap';
import { definition } from '../service/zapier';
import { Conflict } from './conflict';
import { FormField } from './form-field';
import { Mappings } from './mappings';
import { describeProblem, Problem } from './problem';
import { Result } from './result';
import { inTurn, oneClick, reloadOnChange, swapZap } from './swap';

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

/** The data that an action of another app receives, by names that people choose. */
const dataToSend: Field = {
  key: 'fields',
  label: 'Data to send',
  helpText: 'Enter a name, such as `Text`, on the left. Map the value from an earlier step on the right.',
  dict: true,
  isDropdown: false,
};

/** The fields by group, in the order of the form. Fields without a group are in one without a label. */
const groupFields = (
  { groups }: Operation,
  fields: readonly Field[],
): { label: string | undefined; fields: Field[] }[] => {
  const known = new Set(groups.map(({ key }) => key));
  const rest = fields.filter(({ group }) => !group || !known.has(group));
  const grouped = groups.map(({ key, label }) => ({ label, fields: fields.filter(({ group }) => group === key) }));
  return [{ label: undefined, fields: rest }, ...grouped].filter((each) => each.fields.length > 0);
};

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
    <select name="operation" id="operation" {...describeProblem('operation', problem)} {...reloadOnChange(address)}>
      {kindsAt(index).map((kind) => (
        <optgroup label={kindLabels[kind]}>
          {definition.operations
            .filter((each) => each.kind === kind)
            .map(({ path, label }) => (
              <option value={path} selected={operationOf(step) === path}>
                {label}
              </option>
            ))}
        </optgroup>
      ))}
      <option value="other" selected={step.type === 'other'}>
        Another app
      </option>
      {index > 0 && (
        <option value="delay" selected={step.type === 'delay'}>
          Delay by Zapier
        </option>
      )}
    </select>
  </label>
);

const OwnForm = ({ step, ...props }: StepFormProps & { step: OwnStep; address: string }) => {
  const operation = definition.find(step.operation);
  if (!operation) return null;
  return (
    <>
      <p class="description">{operation.description}</p>
      {groupFields(operation, step.form?.fields ?? []).map((group) => (
        <section class="group" aria-label={group.label ?? 'Fields'}>
          {group.label && <h4>{group.label}</h4>}
          {group.fields.map((field) => (
            <FormField
              field={field}
              value={step.values[field.key] ?? field.default ?? ''}
              chosen={step.labels[field.key]}
              problem={props.problems[field.key]}
              typed={props.conflicts?.[field.key]}
              canMap={props.index > 0}
              preview={props.previews[field.key]}
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
  problems: Problems;
  conflicts: Entered;
  previews: Record<string, string>;
}

const OtherForm = ({ step, isTrigger, address, problems, conflicts, previews }: OtherFormProps) => (
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
    <Conflict field="event" label="App and event" typed={conflicts.event} address={address} />
    {!isTrigger && (
      <section class="group" aria-label={dataToSend.label}>
        <FormField
          field={dataToSend}
          value={Object.fromEntries(
            Object.entries(step.fields).map(([name, value]) => [name, [value].flat().join(', ')]),
          )}
          chosen={undefined}
          problem={problems[dataToSend.key]}
          typed={conflicts[dataToSend.key]}
          canMap
          preview={previews[dataToSend.key]}
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
    <Conflict field="json" label="the JSON" typed={conflicts.json} address={address} />
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

/** What the form shows of each field, in short, so that only what a person changes is saved. */
export const Was = ({ entered }: { entered: Entered }) => (
  <div id="was" hidden>
    {Object.entries(fingerprintsOf(entered)).map(([key, fingerprint]) => (
      <input type="hidden" name={`was.${key}`} value={fingerprint} />
    ))}
  </div>
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
      {step.type === 'own' && <OwnForm {...props} step={step} address={address} />}
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
