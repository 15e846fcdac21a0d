import * as z from 'zod/mini';
import { statusText } from '../../zapier/core/result';
import { hasEnded, type Run } from '../../zapier/runs/run';
import type { Zap } from '../../zapier/zap/zap';
import { sentBefore, subjectOfRun, waitsFor } from '../service/run-facts';
import { describeSubject } from '../service/subject';
import { PhoneLink } from './phone-link';
import { oneClick } from './swap';
import { Time } from './time';

const maxShown = 20;
const maxText = 500;

const texts = z.catch(z.record(z.string(), z.string()), {});

/** What another app receives, such as ". Message Text: Noor replied: Yes". */
const describeInput = (input: unknown): string =>
  Object.entries(texts.parse(input ?? {}))
    .map(([label, text]) => `. ${label.slice(0, maxText)}: ${text.slice(0, maxText)}`)
    .join('');

const RunLine = ({ zap, run }: { zap: Zap; run: Run }) => {
  const facts = [...sentBefore(run), ...[waitsFor(run) ?? []].flat()];
  return (
    <li id={`run-${run.id}`}>
      <Time at={run.startedAt} />
      <span class={`status ${run.status}`}>{statusText[run.status]}</span>
      {run.type === 'replay' && <span class="pill">Replay</span>}
      <span class="subject" dir="auto">
        {describeSubject(subjectOfRun(run))}
      </span>
      <span class="steps">
        {run.steps.map(({ title, status, input, account }, index) => (
          <span class={status}>
            {title}: {statusText[status]}
            {/* Steps of this app show what they did on the phones. */}
            {index > 0 && account === undefined && describeInput(input)}
          </span>
        ))}
        {run.steps
          .flatMap(({ failure }) => failure ?? [])
          .map(({ message, effect }) => (
            <span class="failure">
              {message} {effect}
            </span>
          ))}
        {facts.map(({ sentence, phone }) => (
          <span>
            {sentence} {phone && <PhoneLink phone={phone} />}
          </span>
        ))}
        {run.pause?.until === 'time' && (
          <span>To continue sooner, move the clock forward under Simulate failures and time.</span>
        )}
      </span>
      {run.trigger !== undefined && hasEnded(run) && (
        <button
          type="button"
          id={`replay-${run.id}`}
          class="secondary outline small"
          hx-post={`/zap/${zap.id}/runs/${run.id}/replay`}
          hx-target="#runs"
          hx-swap="outerMorph"
          {...oneClick.button}
        >
          Replay
        </button>
      )}
      {run.failed && (
        <button
          type="button"
          id={`autoreplay-${run.id}`}
          class="secondary outline small"
          hx-post={`/zap/${zap.id}/runs/${run.id}/autoreplay`}
          hx-target="#runs"
          hx-swap="outerMorph"
          {...oneClick.button}
        >
          Replay as Autoreplay would
        </button>
      )}
    </li>
  );
};

/** Whether the run is of a whole Zap, not of a step in the editor. */
export const isWholeRun = ({ type }: Run): boolean => type === 'live' || type === 'replay';

/** The runs of a Zap, newest first. Their summary is about the newest one. */
export const Runs = ({ zap, runs }: { zap: Zap; runs: readonly Run[] }) => {
  const own = runs.filter((run) => run.zapId === zap.id && isWholeRun(run));
  const [last] = own;
  if (!last) return <p class="empty">No runs yet.</p>;
  return (
    <details id="runs-list">
      <summary>
        {own.length === 1 ? '1 run' : `${own.length} runs`}, the last at <Time at={last.startedAt} />:{' '}
        <span class={`status ${last.status}`}>{statusText[last.status]}</span>
      </summary>
      <ol class="runs">
        {own.slice(0, maxShown).map((run) => (
          <RunLine zap={zap} run={run} />
        ))}
      </ol>
      <p class="intro">
        Replay repeats every step, and sends messages again unless Send Only Once Per has a value. Autoreplay continues
        at the step that failed.
      </p>
    </details>
  );
};
