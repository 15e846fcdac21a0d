import { type Kind, kinds } from '../../../zapier/core/app-definition';
import { kindOf, type Step, tools } from '../../../zapier/kinds';
import { hasRecord, operationOf } from '../../../zapier/zap/steps';
import { otherAppsAt } from '../../service/other-apps';
import { definition } from '../../service/zapier';
import { anotherApp } from '../canvas/add-step';
import { Button } from '../elements/button';
import { describeProblem, Problem } from '../elements/problem';
import { oneClick, posts, reloadOnChange, swapZap } from '../elements/swap';

interface SetupFormProps {
  step: Step;
  index: number;
  address: string;
  problem: string | undefined;
}

const kindLabels: Record<Kind, string> = { triggers: 'Triggers', creates: 'Actions', searches: 'Searches' };

const kindsAt = (index: number): readonly Kind[] => kinds.filter((kind) => (kind === 'triggers') === (index === 0));

/** What a step does: an operation of this app, another app, or a tool of Zapier. */
export const OperationSelect = ({ step, index, address, problem }: SetupFormProps) => (
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
      <option value="other" selected={operationOf(step) === 'other'}>
        {anotherApp}
      </option>
      {index > 0 && (
        <optgroup label="Built-in tools">
          {tools.map(({ type, title }) => (
            <option value={type} selected={operationOf(step) === type}>
              {title}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  </label>
);

/** Whether a step is of this app and has this event. */
const isOf = (step: Step, app: string, event: string): boolean => {
  const named = kindOf(step).named(step, definition);
  return named.app === app && named.event === event;
};

const Examples = ({ step, index, address }: SetupFormProps) => (
  <section class="examples" aria-labelledby="examples-title">
    <p id="examples-title">Another app, with example data:</p>
    <ul class="buttons">
      {otherAppsAt(index).map(({ app, event }, at) => (
        <li>
          <Button
            id={`example-${at}`}
            class="outline small"
            aria-pressed={isOf(step, app, event) ? 'true' : 'false'}
            // A trigger of another app has nothing to fill in.
            {...posts(address, { action: 'reload', example: at, to: index === 0 ? 'test' : 'configure' })}
            {...oneClick.button}
            {...swapZap}
          >
            {app}: {event}
          </Button>
        </li>
      ))}
    </ul>
  </section>
);

/**
 * Chooses what a step does. Other apps have ready examples with data. Most Zaps start with
 * another app, so these come first for a trigger.
 */
export const SetupForm = (props: SetupFormProps) => {
  const { step, index, address, problem } = props;
  const description = definition.find(operationOf(step))?.description;
  return (
    <>
      {index === 0 && <Examples {...props} />}
      <OperationSelect step={step} index={index} address={address} problem={problem} />
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
      {index > 0 && <Examples {...props} />}
    </>
  );
};
