import type { Field } from '../../../zapier/fields/form';
import type { Problems } from '../../../zapier/fields/values';
import type { OtherStep } from '../../../zapier/kinds';
import type { FieldPreview } from '../../service/message-preview';
import { reloadOnChange } from '../elements/swap';
import { FormField } from './form-field';
import { RecordField } from './record-field';

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
  /** Whether a person edits what it returns as JSON. */
  asJson: boolean;
  address: string;
  problems: Problems;
  previews: Record<string, FieldPreview>;
}

/** A step of another app: what it receives, and what it returns. */
export const OtherForm = ({ step, isTrigger, asJson, address, problems, previews }: OtherFormProps) => (
  <>
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
    {!isTrigger && (
      <section class="group" aria-label={dataToSend.label}>
        <FormField
          field={dataToSend}
          value={Object.fromEntries(
            Object.entries(step.fields).map(([name, value]) => [name, [value].flat().join(', ')]),
          )}
          chosen={undefined}
          problem={problems[dataToSend.key]}
          canMap
          preview={previews[dataToSend.key]}
          address={address}
        />
      </section>
    )}
    <RecordField step={step} isTrigger={isTrigger} asJson={asJson} address={address} problem={problems.json} />
  </>
);
