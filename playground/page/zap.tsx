import { recipes } from '../recipes';
import { type Field, groupFields } from '../zaps/fields';
import { eventsOf } from '../zaps/from-recipe';
import { outputsOf } from '../zaps/mapping';
import { delayPlace, findOperation, type Kind, kinds, operations, otherPlace, placeOf } from '../zaps/operations';
import type { Run } from '../zaps/run';
import { exampleRecord, formatHours, titleOf } from '../zaps/run-step';
import { type DelayStep, maxSteps, type OtherStep, type OwnStep, type Step, type Zap as ZapModel } from '../zaps/zap';
import { EventButton } from './event-button';
import { FormField } from './form-field';
import { firstMessage, quickCustomers } from './quick-customers';
import { describeOutput, Result } from './result';
import { isWholeRun, Runs } from './runs';
import { inTurn, postWithStep, reloadOnChange, showZap, swapZap } from './swap-zap';

export interface ZapProps {
  zap: ZapModel;
  zaps: readonly ZapModel[];
  index: number;
  /** The fields of the open step, when it is one of ours. */
  fields: readonly Field[];
  problems: Record<string, string>;
  /** A sentence about the Zap as a whole. */
  error?: string | undefined;
  /** The run of the open step alone. */
  run?: Run | undefined;
  runs: readonly Run[];
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
    <select
      name="place"
      id="place"
      {...(problem && { 'aria-invalid': 'true', 'aria-describedby': 'problem-place' })}
      {...reloadOnChange(address)}
    >
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
    {problem && (
      <span class="problem" id="problem-place">
        {problem}
      </span>
    )}
  </label>
);

const Mappings = ({ zap, index }: { zap: ZapModel; index: number }) => (
  <details id="mappings" class="mappings">
    <summary>Insert data from an earlier step</summary>
    <p class="intro">Click a field of the form, then the value to put into it.</p>
    {zap.steps.slice(0, index).map((step, at) => (
      <div>
        <h4>
          {at + 1}. {titleOf(step)}
        </h4>
        <ul>
          {outputsOf(exampleRecord(step)).map(({ path, value, type }) => (
            <li>
              <button type="button" class="map row" data-map={`{{${at + 1}.${path}}}`}>
                {describeOutput(step, path, type).label} <small dir="auto">{value.slice(0, 60)}</small>
              </button>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </details>
);

const OwnForm = ({ step, ...props }: ZapProps & { step: OwnStep; address: string }) => {
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
  address: string;
  problems: Record<string, string>;
}

const OtherForm = ({ step, address, problems }: OtherFormProps) => (
  <>
    <label>
      App and event
      <input name="event" id="event" value={`${step.app}: ${step.event}`} maxlength={200} />
    </label>
    {Object.entries(step.fields).map(([label, value]) => (
      <p class="other-field">
        <strong>{label}</strong> <span class="mapped">{[value].flat().join(', ')}</span>
      </p>
    ))}
    <label>
      Data of the other app, as JSON
      <textarea
        name="json"
        id="json"
        rows={12}
        spellcheck={false}
        {...reloadOnChange(address)}
        {...(problems.json && { 'aria-invalid': 'true', 'aria-describedby': 'problem-json' })}
      >
        {step.json}
      </textarea>
    </label>
    {problems.json && (
      <p class="problem" id="problem-json">
        {problems.json}
      </p>
    )}
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
    <p>A run waits here. To go on sooner, move the clock forward under Simulate failures and time.</p>
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
    hx-disable="this"
    {...swapZap}
  >
    {children}
  </button>
);

const StepForm = (props: ZapProps) => {
  const { zap, index, problems, run } = props;
  const step = zap.steps[index];
  if (!step) return null;
  const address = `/zap/${zap.id}/${index}`;
  const isTrigger = index === 0;
  return (
    <form
      id="step"
      class="step"
      hx-post={address}
      hx-trigger="change"
      hx-swap="none"
      {...inTurn}
      autocomplete="off"
      novalidate
    >
      <input type="hidden" name="at" value={index} />
      <input type="hidden" name="step" value={step.id} />
      <input type="hidden" name="fields-of" value={placeOf(step)} />
      <OperationSelect step={step} index={index} address={address} problem={problems.place} />
      {step.type === 'own' && step.onlyIf && (
        <p class="condition">
          Runs only if <span class="mapped">{step.onlyIf.value}</span>
          {step.onlyIf.is === undefined ? ` isn't "${step.onlyIf.isNot}"` : ` is "${step.onlyIf.is}"`}.
        </p>
      )}
      {step.type === 'own' && <OwnForm {...props} step={step} address={address} />}
      {step.type === 'other' && <OtherForm step={step} address={address} problems={problems} />}
      {step.type === 'delay' && <DelayForm step={step} address={address} />}
      {index > 0 && step.type === 'own' && <Mappings zap={zap} index={index} />}
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

const Steps = ({ zap, index }: ZapProps) => (
  <ol class="steps" aria-label="Steps">
    {zap.steps.map((step, at) => (
      <li>
        <button
          type="button"
          id={`step-${at}`}
          class="step row"
          aria-current={at === index ? 'step' : 'false'}
          hx-get={`/zap/${zap.id}?step=${at}`}
          {...swapZap}
        >
          {at + 1}. {titleOf(step)}
        </button>
      </li>
    ))}
    {zap.steps.length < maxSteps && (
      <li>
        <button type="button" id="add-step" class="secondary outline small" {...postWithStep(`/zap/${zap.id}/add`)}>
          Add a step
        </button>
      </li>
    )}
  </ol>
);

/** What the Zap waits for, when it's on. */
const Status = ({ zap }: { zap: ZapModel }) => {
  if (!zap.isOn) return <span class="pill">Off</span>;
  const { id, expiresAt, watches = [] } = zap.subscription ?? {};
  return (
    <>
      <span class="pill on">On</span> {id === undefined && <small>Checks for new records every 2 seconds.</small>}
      {id !== undefined && (
        <small>
          Subscription <code>{id}</code>
          {expiresAt && (
            <>
              {' '}
              until <time datetime={expiresAt}>{expiresAt.slice(0, 10)}</time>
            </>
          )}
          {watches.length > 0 && ` · ${watches.join(' · ')}`}
        </small>
      )}
    </>
  );
};

const Start = ({ zap }: { zap: ZapModel }) => (
  <button type="button" id="start-zap" {...postWithStep(`/zap/${zap.id}/start`)}>
    Run the Zap
  </button>
);

const Switch = ({ zap }: { zap: ZapModel }) => (
  <button
    type="button"
    id="switch"
    class={zap.isOn ? 'secondary outline' : ''}
    {...postWithStep(`/zap/${zap.id}/${zap.isOn ? 'off' : 'on'}`)}
  >
    {zap.isOn ? 'Turn off' : 'Turn on'}
  </button>
);

const [firstCustomer] = quickCustomers;

/** What to click first, until a Zap has run. */
const Guide = ({ zap }: { zap: ZapModel }) => (
  <section class="guide" aria-labelledby="guide-title">
    <h3 id="guide-title">Try it in a minute</h3>
    <ol class="guide-steps">
      <li class={zap.isOn ? 'done' : ''}>
        Click <strong>Turn on</strong> below. This Zap sends the delivery time to customers who write about a parcel.
      </li>
      <li>
        <form hx-post="/phones" hx-target="#phones" hx-swap="outerMorph">
          <input type="hidden" name="from" value={firstCustomer.phone} />
          <input type="hidden" name="text" value={firstMessage} />
          <button type="submit" id="first-message" class="secondary outline small">
            Write as a customer
          </button>{' '}
          "{firstMessage}"
        </form>
      </li>
      <li>Watch the reply reach the phone on the left, and the run in Activity. Then load a recipe.</li>
    </ol>
  </section>
);

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
    <label>
      Recipes
      <select name="recipe" id={`recipe-${zap.id}`} hx-post="/zap/recipe" hx-trigger="change" {...showZap}>
        <option value="">Load a recipe…</option>
        {recipes.map(({ title }, at) => (
          <option value={at}>{title}</option>
        ))}
      </select>
    </label>
    <button type="button" id="new-zap" class="secondary outline" hx-post="/zap/new" {...showZap}>
      New Zap
    </button>
  </div>
);

/** The Zap as its editor shows it, with the open step's form. */
export const Zap = (props: ZapProps) => {
  const { zap, zaps, index, runs, error } = props;
  const event = zap.isOn || zap.steps[0]?.type === 'other' ? eventsOf(zap).at(-1) : undefined;
  return (
    <section id="zap" aria-labelledby="zap-title" tabindex={-1} data-address={`zap=${zap.id}&step=${index}`}>
      <h2 id="zap-title">Zap</h2>
      <p class="intro">What people build in Zapier's editor. Fill in a step, test it, and turn on the Zap.</p>
      <Chooser {...props} />
      {zap === zaps[0] && !runs.some(isWholeRun) && <Guide zap={zap} />}
      <div class="heading">
        <div>
          <h3>{zap.title}</h3>
          {zap.steps[0]?.type !== 'other' && <Status zap={zap} />}
        </div>
        {zap.steps[0]?.type === 'other' ? <Start zap={zap} /> : <Switch zap={zap} />}
      </div>
      {error && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      {zap.problem && (
        <p class="problem" role="alert">
          {zap.problem}
        </p>
      )}
      {event && <EventButton zap={zap} event={event} />}
      <Runs zap={zap} runs={runs} />
      <Steps {...props} />
      <StepForm {...props} />
    </section>
  );
};
