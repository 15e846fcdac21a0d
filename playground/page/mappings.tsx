import { isMappable, type Output, outputsOf } from '../../zapier/mapping';
import type { Step, Zap } from '../../zapier/zap';
import { definition } from '../service/zapier';
import { describeOutput } from './result';

const Values = ({ step, number, outputs }: { step: Step; number: number; outputs: readonly Output[] }) => (
  <ul>
    {outputs.map(({ path, value, type }) => (
      <li>
        <button type="button" class="map row" data-map={`{{${number}.${path}}}`}>
          {describeOutput(step, path, type).label} <small dir="auto">{value.slice(0, 60)}</small>
        </button>
      </li>
    ))}
  </ul>
);

const StepData = ({ step, number }: { step: Step; number: number }) => {
  const record = definition.exampleOf(step);
  const outputs = outputsOf(record).filter(({ path }) => isMappable(record, path));
  const filled = outputs.filter(({ value }) => value !== '');
  const empty = outputs.filter(({ value }) => value === '');
  if (outputs.length === 0) return <p class="intro">This step returns no data.</p>;
  return (
    <>
      {step.type === 'own' && step.example === undefined && (
        <p class="intro">This is sample data. To use a real record, test step {number}.</p>
      )}
      {filled.length > 0 && <Values step={step} number={number} outputs={filled} />}
      {empty.length > 0 && (
        <details class="empty-values">
          <summary>{empty.length === 1 ? '1 empty value' : `${empty.length} empty values`}</summary>
          <Values step={step} number={number} outputs={empty} />
        </details>
      )}
    </>
  );
};

/** The data of the steps before, to click into the field that was used last. */
export const Mappings = ({ zap, index }: { zap: Zap; index: number }) => (
  <details id="mappings" class="mappings">
    <summary id="insert-data">Insert data from an earlier step</summary>
    <p class="intro">Click a field of the form, or press Enter in it. Then choose the value to put into it.</p>
    <p id="no-field" class="problem" role="alert" hidden>
      No field is chosen. Click the field that gets this value, then choose the value again.
    </p>
    {zap.steps.slice(0, index).map((step, at) => (
      <div class="source">
        <h4>
          {at + 1}. {definition.titleOf(step)}
        </h4>
        <StepData step={step} number={at + 1} />
      </div>
    ))}
  </details>
);
