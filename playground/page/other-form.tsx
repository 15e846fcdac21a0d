import type { Field } from '../../zapier/form';
import type { Entered } from '../../zapier/merge';
import type { Problems } from '../../zapier/problems';
import type { OtherStep } from '../../zapier/zap';
import { Conflict } from './conflict';
import { FormField } from './form-field';
import { describeProblem, Problem } from './problem';
import { reloadOnChange } from './swap';

/** The data that an action of another app receives, by names that people choose. */
const dataToSend: Field = {
  key: 'fields',
  label: 'Data to send',
  helpText: 'Enter a name, such as `Text`, on the left. Map the value from an earlier step on the right.',
  dict: true,
  isDropdown: false,
};

interface OtherFormProps {
  step: OtherStep;
  isTrigger: boolean;
  address: string;
  problems: Problems;
  conflicts: Entered;
  previews: Record<string, string>;
}

/** A step of another app: what it receives, and what it returns. */
export const OtherForm = ({ step, isTrigger, address, problems, conflicts, previews }: OtherFormProps) => (
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
