import { kindOf, type Step } from '../../../zapier/kinds';
import { isPath } from '../../../zapier/zap/paths';
import { hasRecord, operationOf } from '../../../zapier/zap/steps';
import type { Zap } from '../../../zapier/zap/zap';
import { otherAppsAt } from '../../service/other-apps';
import { definition } from '../../service/zapier';
import { anotherApp, ChangeStep } from '../canvas/add-step';
import { appOf } from '../elements/app-icon';
import { Button } from '../elements/button';
import { describeProblem, Problem } from '../elements/problem';
import { postWithStep, reloadOnChange } from '../elements/swap';

interface SetupFormProps {
  zap: Zap;
  step: Step;
  index: number;
  address: string;
  problem: string | undefined;
}

/** What starts a Zap: an event of this app, or another app. */
const TriggerSelect = ({ step, address, problem }: SetupFormProps) => (
  <label>
    Trigger
    <select name="operation" id="operation" {...describeProblem('operation', problem)} {...reloadOnChange(address)}>
      {definition.operations
        .filter(({ kind }) => kind === 'triggers')
        .map(({ path, label }) => (
          <option value={path} selected={operationOf(step) === path}>
            {label}
          </option>
        ))}
      <option value="other" selected={operationOf(step) === 'other'}>
        {anotherApp}
      </option>
    </select>
  </label>
);

/** Whether a step is of this app and has this event. */
const isOf = (step: Step, app: string, event: string): boolean => {
  const named = kindOf(step).named(step, definition);
  return named.app === app && named.event === event;
};

/** Triggers of other apps, with example data. Most Zaps start with another app. */
const Examples = ({ zap, step }: SetupFormProps) => (
  <section class="examples" aria-labelledby="examples-title">
    <p id="examples-title">Another app, with example data:</p>
    <ul class="buttons">
      {otherAppsAt(0).map(({ app, event }, at) => (
        <li>
          <Button
            id={`example-${at}`}
            class="outline small"
            aria-pressed={isOf(step, app, event) ? 'true' : 'false'}
            {...postWithStep(`/zap/${zap.id}/add?instead=0&step=example.${at}`)}
          >
            {app}: {event}
          </Button>
        </li>
      ))}
    </ul>
  </section>
);

const App = ({ zap, step, index }: SetupFormProps) => (
  <div class="pair">
    <p>
      <strong>{kindOf(step).named(step, definition).event}</strong> <small class="soft">{appOf(step)}</small>
    </p>
    {!isPath(step) && (
      <ChangeStep zap={zap} at={index} id="change-app" look="outline small">
        Change
      </ChangeStep>
    )}
  </div>
);

/** Chooses what a step does. */
export const SetupForm = (props: SetupFormProps) => {
  const { step, index, address, problem } = props;
  const description = definition.find(operationOf(step))?.description;
  return (
    <>
      {index === 0 ? (
        <>
          <Examples {...props} />
          <TriggerSelect {...props} />
        </>
      ) : (
        <App {...props} />
      )}
      {hasRecord(step) && (
        <label>
          App and event
          <input
            name="f.event"
            id="event"
            value={`${step.app}: ${step.event}`}
            maxlength={200}
            {...reloadOnChange(address)}
          />
        </label>
      )}
      {description && <p class="description">{description}</p>}
      <Problem id="operation">{problem}</Problem>
    </>
  );
};
