import { outputsOf } from '../zaps/mapping';
import { exampleRecord, titleOf } from '../zaps/run-step';
import type { Zap } from '../zaps/zap';
import { describeOutput } from './result';

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
        {step.type === 'own' && step.example === undefined && (
          <p class="intro">This is sample data. To use a real record, test step {at + 1}.</p>
        )}
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
