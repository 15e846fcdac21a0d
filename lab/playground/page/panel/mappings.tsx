import { isMappable, type Output, outputsOf } from '../../../zapier/fields/mapping';
import type { Step } from '../../../zapier/kinds';
import { leadingTo } from '../../../zapier/zap/paths';
import { asApp, examplesOf, hasRules, titleOf } from '../../../zapier/zap/steps';
import type { Zap } from '../../../zapier/zap/zap';
import { orderOutputs } from '../../service/order-outputs';
import { definition } from '../../service/zapier';
import { Button } from '../elements/button';
import { describeEmpty, labelOfOutput } from './result';

const Values = ({ step, number, outputs }: { step: Step; number: number; outputs: readonly Output[] }) => (
  <ul>
    {outputs.map(({ path, value }) => {
      const label = labelOfOutput(step, path);
      return (
        <li>
          <Button
            class="map row"
            tabindex={-1}
            data-map={`{{${number}.${path}}}`}
            data-label={label}
            data-example={value.slice(0, 40)}
          >
            {label} <small dir="auto">{value.slice(0, 60)}</small>
          </Button>
        </li>
      );
    })}
  </ul>
);

const StepData = ({ step, number, record }: { step: Step; number: number; record: unknown }) => {
  const outputs = orderOutputs(outputsOf(record)).filter(({ path }) => isMappable(record, path));
  const filled = outputs.filter(({ value }) => value !== '');
  const empty = outputs.filter(({ value }) => value === '');
  if (outputs.length === 0) return <p class="soft">This step returns no data.</p>;
  return (
    <>
      {asApp(step) && asApp(step)?.example === undefined && (
        <p class="soft">This is sample data. To use a real record, test step {number}.</p>
      )}
      {filled.length > 0 && <Values step={step} number={number} outputs={filled} />}
      {empty.length > 0 && (
        <details class="empty-values">
          <summary tabindex={-1}>{describeEmpty(empty.length)}</summary>
          <Values step={step} number={number} outputs={empty} />
        </details>
      )}
    </>
  );
};

const Source = ({ step, at, record }: { step: Step; at: number; record: unknown }) => (
  <div class="source">
    <p class="source-title">
      {at + 1}. {titleOf(definition, step)}
    </p>
    <StepData step={step} number={at + 1} record={record} />
  </div>
);

/** The data of the steps that lead to one, nearest first, which the picker shows at the field that has the focus. */
export const Mappings = ({ zap, index }: { zap: Zap; index: number }) => {
  const leading = leadingTo(zap.steps, index);
  const examples = examplesOf(definition, zap.steps.slice(0, index));
  return (
    <div id="mappings" hidden>
      {[...zap.steps.entries()]
        .reverse()
        .map(
          ([at, step]) =>
            leading.includes(at) && !hasRules(step) && <Source step={step} at={at} record={examples[at]} />,
        )}
    </div>
  );
};

/** Where the picker shows that data. It stays while the form around a field changes. */
export const Picker = () => (
  <section id="picker" class="picker" popover="manual" aria-label="Insert data">
    <input type="search" id="picker-search" placeholder="Search" aria-label="Search the data" autocomplete="off" />
    <div id="picker-data" />
  </section>
);
