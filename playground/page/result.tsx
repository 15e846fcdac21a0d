import { toLabel } from '../../src/api/labels';
import { maxMessageLength } from '../zaps/failures';
import { outputsOf } from '../zaps/mapping';
import { findOperation } from '../zaps/operations';
import type { ApiRequest, StepResult } from '../zaps/run';
import type { Step } from '../zaps/zap';

const Requests = ({ requests }: { requests: readonly ApiRequest[] }) => (
  <table class="requests">
    <caption>API requests</caption>
    <thead>
      <tr>
        <th scope="col">Request</th>
        <th scope="col">Status</th>
        <th scope="col">Time</th>
        <th scope="col">Idempotency-Key</th>
      </tr>
    </thead>
    <tbody>
      {requests.map(({ method, path, status, durationMs, idempotencyKey }) => (
        <tr>
          <td>
            {method} {path}
          </td>
          <td>{status ?? 'no response'}</td>
          <td>{durationMs === undefined ? '–' : `${durationMs} ms`}</td>
          <td class="key">{idempotencyKey ?? '–'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The path of a record in the form of an output field's key: `contact.phone` is `contact__phone`. */
const keyOf = (path: string): string => path.replaceAll(/\.\d+\./g, '[]').replaceAll('.', '__');

/** What Zapier calls an output that has no label. */
const nameOf = (path: string): string => toLabel(path.replaceAll(/\.\d+(?=\.|$)/g, '').replaceAll('.', '_'));

/** The label and type that the definition gives an output, or what its path and value say. */
export const describeOutput = (step: Step, path: string, type: string): { label: string; type: string } => {
  const outputs = step.type === 'own' ? findOperation(step.place)?.outputs : undefined;
  const declared = outputs?.find(({ key }) => key === keyOf(path));
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

const statusText: Record<StepResult['status'], string> = {
  running: 'Running',
  success: 'Success',
  halted: 'Halted',
  error: 'Error',
  held: 'Held',
  waiting: 'Waiting for a reply',
  delayed: 'Delayed',
  filtered: 'Skipped by its filter',
};

/** The result of a step as the editor lists it. */
export const Result = ({ step, result }: { step: Step; result: StepResult }) => (
  <div id="result" class={`result ${result.status}`} role="status">
    <h4>{statusText[result.status]}</h4>
    {result.failure && (
      <>
        <p class="failure">{result.failure.message}</p>
        <p>
          {result.failure.effect} {result.failure.message.length} of {maxMessageLength} characters.
        </p>
      </>
    )}
    {result.status === 'success' && result.output === undefined && <p>No records found.</p>}
    {result.output !== undefined && <Outputs step={step} output={result.output} />}
    {result.requests.length > 0 && <Requests requests={result.requests} />}
  </div>
);

export { statusText };
