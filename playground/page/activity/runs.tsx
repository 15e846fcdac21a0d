import * as z from 'zod/mini';
import { statusText } from '../../../zapier/core/result';
import { hasEnded, type Run } from '../../../zapier/runs/run';
import type { Zap } from '../../../zapier/zap/zap';
import { sentBefore, subjectOfRun, waitsFor } from '../../service/run-notes';
import { describeSubject } from '../../service/subject';
import { isWholeRun } from '../canvas/painted-run';
import { Button } from '../elements/button';
import { isElsewhere, oneClick, swapZap } from '../elements/swap';
import { Time } from '../elements/time';
import type { Replaceable, ZapView } from '../elements/view';
import { PhoneLink } from '../phone/phone-link';

const maxShown = 20;
const maxText = 500;

const texts = z.catch(z.record(z.string(), z.string()), {});

/** What another app receives, such as ". Message Text: Noor replied: Yes". */
const describeInput = (input: unknown): string =>
  Object.entries(texts.parse(input ?? {}))
    .map(([label, text]) => `. ${label.slice(0, maxText)}: ${text.slice(0, maxText)}`)
    .join('');

/** The step that a run leads to: the one that failed, or else the last one. */
const stepToShow = ({ steps }: Run): number => {
  const failed = steps.findIndex(({ failure }) => failure !== undefined);
  return failed < 0 ? Math.max(0, steps.length - 1) : failed;
};

const Steps = ({ run }: { run: Run }) => {
  const facts = [...sentBefore(run), ...[waitsFor(run) ?? []].flat()];
  return (
    <span class="steps-of-run">
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
    </span>
  );
};

interface RunLineProps {
  zap: Zap;
  run: Run;
  isChosen: boolean;
  /** What shows beside it, as the query of an address. */
  shown: URLSearchParams;
}

const RunLine = ({ zap, run, isChosen, shown }: RunLineProps) => {
  const replays = { 'hx-target': '#bar', 'hx-swap': 'outerMorph', ...oneClick.button };
  return (
    <li id={`run-${run.id}`} class="run-line">
      <Time at={run.startedAt} />
      <span class={`status ${run.status}`}>{statusText[run.status]}</span>
      {run.type === 'replay' && <span class="pill">Replay</span>}
      <span class="subject" dir="auto">
        {describeSubject(subjectOfRun(run))}
      </span>
      <span class="buttons">
        <Button
          id={`show-run-${run.id}`}
          class="outline small"
          aria-pressed={isChosen ? 'true' : 'false'}
          data-shows="zap"
          hx-get={`/zap/${zap.id}?step=${stepToShow(run)}${isChosen ? '' : `&run=${run.id}`}`}
          {...swapZap}
        >
          Show on the canvas
        </Button>
        {run.trigger !== undefined && hasEnded(run) && (
          <Button
            id={`replay-${run.id}`}
            class="outline small"
            hx-post={`/zap/${zap.id}/runs/${run.id}/replay?${shown}`}
            {...replays}
          >
            Replay
          </Button>
        )}
        {run.failed && (
          <Button
            id={`autoreplay-${run.id}`}
            class="outline small"
            hx-post={`/zap/${zap.id}/runs/${run.id}/autoreplay?${shown}`}
            {...replays}
          >
            Replay as Autoreplay would
          </Button>
        )}
      </span>
      <Steps run={run} />
    </li>
  );
};

type RunsProps = Replaceable & Pick<ZapView, 'zap' | 'runs' | 'index' | 'chosen'>;

/** The runs of a Zap, newest first. Their summary is about the newest one. */
export const Runs = ({ zap, runs, index, chosen, isUpdate = false }: RunsProps) => {
  const own = runs.filter((run) => run.zapId === zap.id && isWholeRun(run));
  const [last] = own;
  const shown = new URLSearchParams({ step: `${index}`, ...(chosen && { run: chosen.id }) });
  return (
    <section id="runs" class="runs-pane" aria-label="Runs of this Zap" {...(isUpdate && isElsewhere)}>
      {last ? (
        <details id="runs-list" open>
          <summary>
            {own.length === 1 ? '1 run' : `${own.length} runs`}, the last at <Time at={last.startedAt} />{' '}
            <span class={`status ${last.status}`}>{statusText[last.status]}</span>
          </summary>
          <ol class="runs">
            {own.slice(0, maxShown).map((run) => (
              <RunLine zap={zap} run={run} isChosen={run === chosen} shown={shown} />
            ))}
          </ol>
          <p class="soft">
            Replay repeats every step, and sends messages again unless Send Once for Each has a value. Autoreplay
            continues at the step that failed.
          </p>
        </details>
      ) : (
        <p class="empty">No runs yet.</p>
      )}
    </section>
  );
};
