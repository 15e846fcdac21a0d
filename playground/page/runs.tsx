import type { Run } from '../zaps/run';
import type { Zap } from '../zaps/zap';
import { statusText } from './result';
import { Time } from './time';

const maxShown = 20;

const RunLine = ({ zap, run }: { zap: Zap; run: Run }) => (
  <li id={`run-${run.id}`}>
    <Time at={run.startedAt} />
    <span class={`status ${run.status}`}>{statusText[run.status]}</span>
    <span class="steps">
      {run.steps.map(({ title, status }) => (
        <span class={status}>
          {title}: {statusText[status]}
        </span>
      ))}
      {run.steps
        .flatMap(({ failure }) => failure ?? [])
        .map(({ message, effect }) => (
          <span class="failure">
            {message} {effect}
          </span>
        ))}
    </span>
    <button
      type="button"
      id={`replay-${run.id}`}
      class="secondary outline small"
      hx-post={`/zap/${zap.id}/runs/${run.id}/replay`}
      hx-target="#runs"
      hx-swap="outerMorph"
      disabled={run.trigger === undefined}
    >
      Replay
    </button>
  </li>
);

/** Whether the run is of a whole Zap, not of a step in the editor. */
export const isWholeRun = ({ type }: Run): boolean => type === 'live' || type === 'replay';

/** The runs of a Zap, newest first. The summary is about the newest one. */
export const Runs = ({ zap, runs }: { zap: Zap; runs: readonly Run[] }) => {
  const own = runs.filter((run) => run.zapId === zap.id && isWholeRun(run));
  const [last] = own;
  return (
    <div id="runs" hx-get={`/zap/${zap.id}/runs`} hx-trigger="runs from:body" hx-target="this" hx-swap="outerMorph">
      {last ? (
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
        </details>
      ) : (
        <p class="empty">No runs yet.</p>
      )}
    </div>
  );
};
