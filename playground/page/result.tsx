import * as z from 'zod/mini';
import { headers } from '../../src/api/endpoints';
import { toLabel } from '../../src/api/labels';
import { type ApiRequest, isPaused, type StepStatus, statusText } from '../../zapier/core/result';
import { type Output, outputKey, outputsOf } from '../../zapier/fields/mapping';
import type { RulesStep, Step } from '../../zapier/kinds';
import { kindOf } from '../../zapier/kinds';
import { platform } from '../../zapier/platform';
import type { Run } from '../../zapier/runs/run';
import { asApp, hasRules } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import { orderOutputs } from '../service/order-outputs';
import { definition } from '../service/zapier';
import { refresh } from './swap';

const Requests = ({ requests }: { requests: readonly ApiRequest[] }) => (
  <table class="requests">
    <caption>API requests</caption>
    <thead>
      <tr>
        <th scope="col">Request</th>
        <th scope="col">Status</th>
        <th scope="col">Time</th>
        <th scope="col">Idempotency-Key</th>
        <th scope="col">Idempotent-Replayed</th>
      </tr>
    </thead>
    <tbody>
      {requests.map(({ method, path, status, durationMs, headers: shown }) => (
        <tr>
          <td>
            {method} {path}
          </td>
          <td>{status ?? 'no response'}</td>
          <td>{durationMs === undefined ? '–' : `${durationMs} ms`}</td>
          <td class="key">{shown[headers.idempotencyKey] ?? '–'}</td>
          <td>{shown[headers.idempotentReplayed] ?? '–'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** What Zapier calls an output that has no label. */
const nameOf = (path: string): string => toLabel(path.replaceAll(/\.\d+(?=\.|$)/g, '').replaceAll('.', '_'));

/** The label and type that the definition gives an output, or what its path and value say. */
export const describeOutput = (step: Step, path: string, type: string): { label: string; type: string } => {
  const declared = kindOf(step)
    .outputs(step, definition)
    .find(({ key }) => key === outputKey(path));
  return { label: declared?.label ?? nameOf(path), type: declared?.type ?? type };
};

const OutputTable = ({ step, outputs, caption }: { step: Step; outputs: readonly Output[]; caption?: string }) => (
  <table class="outputs">
    {caption && <caption>{caption}</caption>}
    <thead>
      <tr>
        <th scope="col">Label</th>
        <th scope="col">Value</th>
        <th scope="col">Type</th>
      </tr>
    </thead>
    <tbody>
      {outputs.map(({ path, value, type }) => {
        const described = describeOutput(step, path, type);
        return (
          <tr>
            <th scope="row" title={path}>
              {described.label}
            </th>
            <td dir="auto">{value.slice(0, 500)}</td>
            <td>{described.type}</td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

/** Says how many values are folded away because they are empty. */
export const describeEmpty = (count: number): string => (count === 1 ? '1 empty value' : `${count} empty values`);

const Outputs = ({ step, output }: { step: Step; output: unknown }) => {
  const outputs = orderOutputs(outputsOf(output));
  const empty = outputs.filter(({ value }) => value === '');
  return (
    <>
      <OutputTable step={step} outputs={outputs.filter(({ value }) => value !== '')} caption="Data out" />
      {empty.length > 0 && (
        <details class="empty-values">
          <summary>{describeEmpty(empty.length)}</summary>
          <OutputTable step={step} outputs={empty} />
        </details>
      )}
    </>
  );
};

const texts = z.catch(z.record(z.string(), z.string()), {});

const Inputs = ({ input }: { input: unknown }) => {
  const entries = Object.entries(texts.parse(input ?? {}));
  if (entries.length === 0) return null;
  return (
    <ul class="inputs" aria-label="Data in">
      {entries.map(([label, text]) => (
        <li dir="auto">
          <strong>{label}:</strong> {text.slice(0, 500)}
        </li>
      ))}
    </ul>
  );
};

const decisions = {
  filter: { passes: 'All rules match, so the run continues.', stops: "A rule doesn't match, so the run stops here." },
  path: {
    passes: 'All rules match, so the run takes this path.',
    stops: "A rule doesn't match, so the run skips this path.",
  },
};

const Decision = ({ step, status }: { step: RulesStep; status: StepStatus }) => (
  <p>{decisions[step.type][status === 'success' ? 'passes' : 'stops']}</p>
);

interface ResultProps {
  zap: Zap;
  index: number;
  /** The run of this step alone. */
  run: Run;
}

/** The result of a step as the editor lists it. A result that waits changes when its run goes on. */
export const Result = ({ zap, index, run }: ResultProps) => {
  const [result] = run.steps;
  const step = zap.steps[index];
  if (!result || !step) return null;
  const { status, failure, input, output, requests } = result;
  return (
    <div
      id="result"
      class={`result ${status}`}
      role="status"
      {...(isPaused(result) && refresh(`/zap/${zap.id}/${index}/runs/${run.id}`, 'runs'))}
    >
      <h4>{statusText[status]}</h4>
      {failure && (
        <>
          <p
            class="failure"
            title={`Length: ${failure.message.length} of the ${platform.messageLength.is} characters that Zapier shows`}
          >
            {failure.message}
          </p>
          <p>{failure.effect}</p>
        </>
      )}
      {hasRules(step) && <Decision step={step} status={status} />}
      {!asApp(step) && <Inputs input={input} />}
      {asApp(step) && status === 'success' && output === undefined && (
        <p>No records found, so later steps use sample data. Cause the event once, then test this step again.</p>
      )}
      {output !== undefined && <Outputs step={step} output={output} />}
      {requests.length > 0 && <Requests requests={requests} />}
    </div>
  );
};
