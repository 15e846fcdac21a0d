import { isMappable, outputsOf } from '../zaps/mapping';
import { exampleRecord, titleOf } from '../zaps/run-step';
import type { Step, Zap } from '../zaps/zap';
import { describeOutput } from './result';

const StepData = ({ step, number }: { step: Step; number: number }) => {
  const record = exampleRecord(step);
  const outputs = outputsOf(record).filter(({ path }) => isMappable(record, path));
  if (outputs.length === 0) return <p class="intro">This step returns no data.</p>;
  return (
    <>
      {step.type === 'own' && step.example === undefined && (
        <p class="intro">This is sample data. To use a real record, test step {number}.</p>
      )}
      <ul>
        {outputs.map(({ path, value, type }) => (
          <li>
            <button type="button" class="map row" data-map={`{{${number}.${path}}}`}>
              {describeOutput(step, path, type).label} <small dir="auto">{value.slice(0, 60)}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
};

/** The data of the steps before, to click into the field that was used last. */
export const Mappings = ({ zap, index }: { zap: Zap; index: number }) => (
  <details id="mappings" class="mappings">
    <summary id="insert-data">Insert data from an earlier step</summary>
    <p class="intro">Click a field of the form, or press Enter in it. Then choose the value to put into it.</p>
    {zap.steps.slice(0, index).map((step, at) => (
      <div>
        <h4>
          {at + 1}. {titleOf(step)}
        </h4>
        <StepData step={step} number={at + 1} />
      </div>
    ))}
  </details>
);
