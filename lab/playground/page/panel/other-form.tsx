import type { Field } from '../../../zapier/fields/form';
import { readRecord } from '../../../zapier/fields/json-record';
import type { Problems } from '../../../zapier/fields/values';
import type { OtherStep } from '../../../zapier/kinds';
import type { FieldPreview } from '../../service/message-preview';
import { FormField } from './form-field';
import { Outputs } from './result';

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
  previews: Record<string, FieldPreview>;
}

/** What the action gives to later steps, folded away. */
const ExampleResult = ({ step }: { step: OtherStep }) => (
  <details class="more">
    <summary>Example result</summary>
    <Outputs step={step} output={readRecord(step.json).record} />
  </details>
);

/** Where the records of a trigger are: on a narrow screen, its window is on the tab of the phone. */
export const AboutRecords = ({ app }: { app: string }) => (
  <p class="soft">
    Its records are in the window of {app}, <span class="for-wide">below the steps</span>
    <span class="for-narrow">on the tab Phone</span>. Each new one starts the Zap.
  </p>
);

/** A step of another app: what it receives, and an example of what it returns. The records of a trigger are in its window. */
export const OtherForm = ({ step, isTrigger, address, problems, previews }: OtherFormProps) =>
  isTrigger ? (
    <AboutRecords app={step.app} />
  ) : (
    <>
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
      <ExampleResult step={step} />
    </>
  );
