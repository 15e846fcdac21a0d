import { headers } from '../../src/api/endpoints';
import { toLabel } from '../../src/api/labels';
import { maxMessageLength } from '../../zapier/failure';
import { outputKey, outputsOf } from '../../zapier/mapping';
import { type ApiRequest, isPaused, type Run } from '../../zapier/run';
import { statusText } from '../../zapier/status';
import type { Step, Zap } from '../../zapier/zap';
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
  const outputs = step.type === 'own' ? definition.find(step.operation)?.outputs : undefined;
  const declared = outputs?.find(({ key }) => key === outputKey(path));
  return { label: declared?.label ?? nameOf(path), type: declared?.type ?? type };
};

const Outputs = ({ step, output }: { step: Step; output: unknown }) => (
  <table class="outputs">
    <caption>Data out</caption>
    <thead>
      <tr>
        <th scope="col">Label</th>
        <th scope="col">Value</th>
        <th scope="col">Type</th>
      </tr>
    </thead>
    <tbody>
      {outputsOf(output).map(({ path, value, type }) => {
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
  const { status, failure, output, requests } = result;
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
          <p class="failure">{failure.message}</p>
          <p>
            {failure.effect} {failure.message.length} of {maxMessageLength} characters.
          </p>
        </>
      )}
      {status === 'success' && output === undefined && (
        <p>No records found, so later steps use sample data. Make the event happen, then test this step again.</p>
      )}
      {output !== undefined && <Outputs step={step} output={output} />}
      {requests.length > 0 && <Requests requests={requests} />}
    </div>
  );
};
