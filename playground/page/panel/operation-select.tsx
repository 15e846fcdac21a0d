import { type Kind, kinds } from '../../../zapier/core/app-definition';
import { type Step, tools } from '../../../zapier/kinds';
import { operationOf } from '../../../zapier/zap/steps';
import { definition } from '../../service/zapier';
import { anotherApp } from '../canvas/add-step';
import { describeProblem } from '../elements/problem';
import { reloadOnChange } from '../elements/swap';

const kindLabels: Record<Kind, string> = { triggers: 'Triggers', creates: 'Actions', searches: 'Searches' };

const kindsAt = (index: number): readonly Kind[] => kinds.filter((kind) => (kind === 'triggers') === (index === 0));

interface OperationSelectProps {
  step: Step;
  index: number;
  address: string;
  problem: string | undefined;
}

/** What a step does: an operation of this app, another app, or a tool of Zapier. */
export const OperationSelect = ({ step, index, address, problem }: OperationSelectProps) => (
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
