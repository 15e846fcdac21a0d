import type { Run } from '../zaps/run';
import type { Zap } from '../zaps/zap';
import { statusText } from './result';
import { Time } from './time';

const maxShown = 20;

/** The runs of a Zap, newest first. */
export const Runs = ({ zap, runs }: { zap: Zap; runs: readonly Run[] }) => {
  const own = runs.filter(({ zapId, type }) => zapId === zap.id && (type === 'live' || type === 'replay'));
  return (
    <div id="runs" hx-get={`/zap/${zap.id}/runs`} hx-trigger="runs from:body" hx-target="this" hx-swap="outerMorph">
      <h3>Runs</h3>
      {own.length === 0 && <p class="empty">No runs yet. Turn on the Zap, then write as a customer.</p>}
      <ol class="runs">
        {own.slice(0, maxShown).map((run) => (
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
              class="secondary outline small"
              hx-post={`/zap/${zap.id}/runs/${run.id}/replay`}
              hx-target="#runs"
              hx-swap="outerMorph"
              disabled={run.trigger === undefined}
            >
              Replay
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
};
