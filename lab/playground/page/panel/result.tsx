import * as z from 'zod/mini';
import { haltsRun } from '../../../zapier/core/failure';
import {
  type ApiRequest,
  type Failure,
  type StepResult,
  type StepStatus,
  statusText,
} from '../../../zapier/core/result';
import { findFailedField } from '../../../zapier/editor/problems';
import { type Output, outputKey, outputsOf } from '../../../zapier/fields/mapping';
import { kindOf, type RulesStep, type Step } from '../../../zapier/kinds';
import { platform } from '../../../zapier/platform';
import type { Run } from '../../../zapier/runs/run';
import { asApp, hasRules } from '../../../zapier/zap/steps';
import type { Zap } from '../../../zapier/zap/zap';
import { asSent } from '../../service/message-preview';
import { nameOfPath } from '../../service/name-of-path';
import { orderOutputs } from '../../service/order-outputs';
import { describeStop, hasStopped, isUsualStop, type RunNote, sentBefore, waitsFor } from '../../service/run-notes';
import { definition } from '../../service/zapier';
import { lookOf, resultOf } from '../canvas/painted-run';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { nameOfChoice } from '../elements/readable';
import { SkipWait } from '../elements/skip-wait';
import { oneClick, posts, refresh, swapPart, swapZap } from '../elements/swap';
import { Clock } from '../elements/time';
import { PhoneLink } from '../phone/phone-link';
import type { Stage } from './stages';

/** What the step asked of the service, folded away. */
const Requests = ({ requests }: { requests: readonly ApiRequest[] }) => (
  <details class="more">
    <summary>{requests.length === 1 ? '1 request' : `${requests.length} requests`}</summary>
    <ul>
      {requests.map(({ method, path, status, durationMs }) => (
        <li>
          <code>
            {method} {path}
          </code>{' '}
          {status ?? 'no response'}
          {durationMs !== undefined && `, ${durationMs} ms`}
        </li>
      ))}
    </ul>
  </details>
);

/** The label that the definition gives an output, or what its path says. */
export const labelOfOutput = (step: Step, path: string): string =>
  kindOf(step)
    .outputs(step, definition)
    .find(({ key }) => key === outputKey(path))?.label ?? nameOfPath(path);

const OutputTable = ({ step, outputs, caption }: { step: Step; outputs: readonly Output[]; caption?: string }) => (
  <table class="outputs">
    {caption && <caption>{caption}</caption>}
    <tbody>
      {outputs.map(({ path, value }) => (
        <tr>
          <th scope="row" title={path}>
            {labelOfOutput(step, path)}
          </th>
          <td dir="auto">{value.slice(0, 500)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Says how many values are folded away because they are empty. */
export const describeEmpty = (count: number): string => (count === 1 ? '1 empty value' : `${count} empty values`);

/** The values of a record, of which the empty ones are folded away. */
export const Outputs = ({ step, output, caption }: { step: Step; output: unknown; caption?: string }) => {
  const outputs = orderOutputs(outputsOf(output));
  const empty = outputs.filter(({ value }) => value === '');
  return (
    <>
      <OutputTable step={step} outputs={outputs.filter(({ value }) => value !== '')} caption={caption} />
      {empty.length > 0 && (
        <details class="empty-values">
          <summary>{describeEmpty(empty.length)}</summary>
          <OutputTable step={step} outputs={empty} />
        </details>
      )}
    </>
  );
};

const texts = z.catch(z.record(z.string(), z.catch(z.union([z.string(), z.number(), z.boolean()]), '')), {});

/** What the step was given: by the labels of its form, or by names that a person chose. */
const Inputs = ({ step, input, failure }: { step: Step; input: unknown; failure: Failure | undefined }) => {
  const fields = kindOf(step).fields(step);
  const order = fields.map(({ key }) => key);
  const failed = Object.keys(findFailedField(step, failure?.message ?? ''));
  const chosen = asApp(step)?.labels ?? {};
  const entries = Object.entries(texts.parse(input ?? {}))
    // A step of the app also gets values that its form hides.
    .filter(([name, text]) => text !== '' && (!asApp(step) || order.includes(name)))
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  if (entries.length === 0) return null;
  const show = (name: string, text: string): string => {
    const label = chosen[name];
    const field = fields.find(({ key }) => key === name);
    return label ? nameOfChoice(label) : field ? asSent(field, text) : text;
  };
  return (
    <section aria-label="Data in">
      <h4>{failure ? 'What it tried' : 'Data in'}</h4>
      <dl class="inputs">
        {entries.map(([name, text]) => (
          <div>
            <dt dir="auto">{fields.find(({ key }) => key === name)?.label ?? name}</dt>
            <dd dir="auto" class={failed.includes(name) ? 'problem' : ''}>
              {show(name, String(text)).slice(0, 500)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const NoRequests = () => (
  <section aria-label="Requests">
    <h4>Requests</h4>
    <p class="soft">None. The step stopped before it asked the service.</p>
  </section>
);

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
  /** A run of this step alone, or of the whole Zap. */
  run: Run;
  /** The run that a person chose to look at. */
  chosen?: Run | undefined;
  /** The part of the form that shows. */
  stage: Stage;
}

/** Connects the account again, which continues every run that waits for it. */
const ConnectAgain = () => (
  <Button
    id="connect-again"
    class="primary"
    {...posts('/simulate', { token: 'reconnect' })}
    {...oneClick.button}
    {...swapPart('simulate')}
  >
    Connect again
  </Button>
);

const Note = ({ sentence, phone }: RunNote) => (
  <>
    <p>{sentence}</p>
    {phone && <PhoneLink phone={phone} />}
  </>
);

/** Until when a run waits, or what for. */
const Wait = ({ run }: { run: Run }) => {
  const note = waitsFor(run);
  return (
    <>
      {note && <Note {...note} />}
      {run.pause?.dueAt !== undefined && (
        <p>
          Continues at <Clock at={new Date(run.pause.dueAt).toISOString()} />.{' '}
          <SkipWait id="skip-wait-here" until={run.pause.dueAt} />
        </p>
      )}
      {run.pause?.until === 'reconnection' && <ConnectAgain />}
    </>
  );
};

interface StopProps {
  zap: Zap;
  step: Step;
  address: string;
  result: StepResult;
  failure: Failure;
}

/** What Zapier does with the run. A Zap that is off has nothing to keep on. */
const effectOf = ({ isOn }: Zap, { status }: StepResult, { effect }: Failure): string =>
  status === 'halted' && !isOn ? `${haltsRun}.` : effect;

/** What happened, what wasn't sent, and the field to go to. */
const Stop = ({ zap, step, address, result, failure }: StopProps) => (
  <>
    <p
      class="failure"
      title={`Length: ${failure.message.length} of the ${platform.messageLength.is} characters that Zapier shows`}
    >
      {failure.message}
    </p>
    <p>{effectOf(zap, result, failure)}</p>
    {hasStopped(result) &&
      Object.keys(findFailedField(step, failure.message)).map((key) => (
        <Button
          class="primary"
          {...posts(address, { action: 'reload', to: 'configure' })}
          data-focuses={`#field-${key}, #choose-${key}`}
          {...swapZap}
        >
          Go to{' '}
          {
            kindOf(step)
              .fields(step)
              .find((field) => field.key === key)?.label
          }
        </Button>
      ))}
  </>
);

/** The result of a step as the editor lists it, which changes when its run goes on or a newer one comes. */
export const Result = ({ zap, index, run, chosen, stage }: ResultProps) => {
  const result = resultOf(run, index);
  const step = zap.steps[index];
  if (!result || !step) return null;
  const { status, failure, input, output, requests } = result;
  return (
    <div
      id="result"
      class={`result ${isUsualStop(result) ? 'filtered' : status}`}
      {...refresh(`/zap/${zap.id}/${index}/result?stage=${stage}${chosen ? `&run=${chosen.id}` : ''}`, 'runs')}
    >
      <div class="outcome" role="status">
        <h3>
          <Icon name={lookOf(result).icon} />
          {hasStopped(result) || status === 'held' ? describeStop(result, step) : statusText[status]}
        </h3>
        {failure && (
          <Stop zap={zap} step={step} address={`/zap/${zap.id}/${index}`} result={result} failure={failure} />
        )}
        {sentBefore({ steps: [result] }).map((note) => (
          <Note {...note} />
        ))}
        <Wait run={run} />
        {hasRules(step) && <Decision step={step} status={status} />}
        {asApp(step) && status === 'success' && output === undefined && (
          <p>
            No records found, so later steps use sample data. Make the event happen once, then test this step again.
          </p>
        )}
      </div>
      <Inputs step={step} input={input} failure={failure} />
      {output !== undefined && <Outputs step={step} output={output} caption="Data out" />}
      {requests.length > 0 ? <Requests requests={requests} /> : failure && asApp(step) && <NoRequests />}
    </div>
  );
};
