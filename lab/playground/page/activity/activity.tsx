import { hasEnded, type Run } from '../../../zapier/runs/run';
import type { Zap } from '../../../zapier/zap/zap';
import { hasStopped, stoppedAt } from '../../service/run-notes';
import { type Beat, endOf, type Story } from '../../service/stories';
import { Button } from '../elements/button';
import { Icon, type IconName } from '../elements/icon';
import { SkipWait } from '../elements/skip-wait';
import { isElsewhere, oneClick, opens, refresh, swapZap } from '../elements/swap';
import { Time } from '../elements/time';

const icons: Record<Beat['kind'], IconName> = {
  cause: 'message-circle',
  run: 'zap',
  done: 'check',
  sent: 'send',
  read: 'check-check',
  replay: 'rotate-ccw',
  problem: 'circle-x',
  held: 'clock',
};

/** The time between two parts of a story, such as "0.4 s". Empty when there is none. */
const formatGap = (from: string | undefined, to: string | undefined): string => {
  const seconds = (Date.parse(`${to}`) - Date.parse(`${from}`)) / 1000;
  if (!(seconds >= 0.05)) return '';
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
};

/** A story from left to right, with the times between its parts. */
const Beats = ({ story: { beats, at }, label }: { story: Story; label: string }) => (
  <ol class="beats" aria-label={label}>
    {beats.map((beat, index) => (
      <li class={`beat ${beat.kind}`}>
        {index > 0 && (
          <span class="gap" data-gap={formatGap(beats[index - 1]?.at, beat.at)}>
            <span class="visually-hidden"> → </span>
          </span>
        )}
        <span class="beat-icon">
          <Icon name={icons[beat.kind]} />
        </span>
        <span class="beat-text" dir="auto">
          {beat.text}
        </span>
        {index === 0 && <Time at={at} />}
      </li>
    ))}
  </ol>
);

const repeats = { replay: 'Replay', autoreplay: 'Continue at the failed step' } as const;

/** Repeats a run. The page hears of the new one by itself. */
const Repeat = ({ run: { id, zapId }, how }: { run: Run; how: keyof typeof repeats }) => (
  <Button
    id={`${how}-${id}`}
    class="outline small"
    hx-post={`/zap/${zapId}/runs/${id}/${how}`}
    hx-swap="none"
    {...oneClick.button}
  >
    {repeats[how]}
  </Button>
);

/** The address of what a run did at the step that it stopped at, or at its last one. */
const addressOf = ({ id, zapId, steps }: Run, at: number | undefined): string => {
  const step = at ?? Math.max(0, steps.length - 1);
  return `/zap/${zapId}?${new URLSearchParams({ step: `${step}`, run: id, ...(at !== undefined && { stage: 'test' }) })}`;
};

const RunLine = ({ run, zaps, beats }: { run: Run; zaps: readonly Zap[]; beats: readonly Beat[] }) => {
  const zap = zaps.find(({ id }) => id === run.zapId);
  const end = zap && endOf(zap, run);
  return (
    <li class={end?.kind === 'problem' ? 'stopped' : undefined}>
      {end && !beats.some(({ text }) => text === end.text) && <p dir="auto">{end.text}</p>}
      {!run.alone && (
        <p class="buttons">
          <Button
            id={`show-run-${run.id}`}
            class="outline small"
            data-shows="zap"
            data-closes
            hx-get={addressOf(run, stoppedAt(run))}
            {...swapZap}
          >
            Show
          </Button>
          {run.trigger !== undefined && hasEnded(run) && <Repeat run={run} how="replay" />}
          {run.failed && <Repeat run={run} how="autoreplay" />}
        </p>
      )}
    </li>
  );
};

const maxRuns = 3;

/** The runs of a story that a person may want to look at: those that stopped, and the first ones. */
const StoryItem = ({ story, zaps }: { story: Story; zaps: readonly Zap[] }) => {
  const { id, subject, runs } = story;
  const shown = [...runs.filter(hasStopped), ...runs.filter((run) => !hasStopped(run))].slice(0, maxRuns);
  return (
    <li class="story" id={`story-${id}`}>
      <Beats story={story} label="From cause to outcome" />
      {subject && (
        <p class="subject" dir="auto">
          {subject}
        </p>
      )}
      <ul>
        {runs
          .filter((run) => shown.includes(run))
          .map((run) => (
            <RunLine run={run} zaps={zaps} beats={story.beats} />
          ))}
      </ul>
      {runs.length > maxRuns && <p class="soft">And {runs.length - maxRuns} more runs.</p>}
    </li>
  );
};

interface ActivityProps {
  zap: Zap;
  zaps: readonly Zap[];
  /** Newest first. */
  stories: readonly Story[];
  isUpdate?: boolean;
}

/** Leads to the step that stopped the newest run of a story. */
const OpenStopped = ({ run, at }: { run: Run; at: number }) => (
  <Button id="open-stopped" class="outline" data-shows="step" hx-get={addressOf(run, at)} {...swapZap}>
    Open step {at + 1}
  </Button>
);

const Latest = ({ stories: [latest, ...others] }: Pick<ActivityProps, 'stories'>) => {
  if (!latest) return <p class="soft">This Zap hasn't run yet.</p>;
  const run = latest.runs.at(-1);
  const at = run && !run.alone ? stoppedAt(run) : undefined;
  // A run may wait that the latest story isn't about.
  const delayed = [latest, ...others].flatMap(({ runs }) => runs).find(({ status }) => status === 'delayed');
  return (
    <>
      <Beats story={latest} label="Latest activity" />
      {run && at !== undefined && <OpenStopped run={run} at={at} />}
      {delayed?.pause?.dueAt && <SkipWait id="skip-wait" until={delayed.pause.dueAt} />}
    </>
  );
};

/** What happened in the Zap, in a line that opens upward as a list. */
export const Activity = ({ zap, zaps, stories, isUpdate = false }: ActivityProps) => (
  <section
    id="activity"
    class="story-pane"
    aria-label="Activity"
    tabindex={-1}
    data-latest={stories[0]?.id}
    {...refresh(`/activity/${zap.id}`, 'runs', 'phones')}
    {...(stories.some(({ runs }) => runs.some(({ status }) => status === 'running')) && {
      // Nothing tells the page of a request that a step tries again.
      'hx-trigger': 'runs from:body, phones from:body, every 2s',
    })}
    {...(isUpdate && isElsewhere)}
  >
    <div class="story-line">
      <Latest stories={stories} />
      <Button id="open-stories" class="quiet" {...opens('stories')}>
        <Icon name="chevron-up" />
        Activity{stories.length > 0 && ` (${stories.length})`}
      </Button>
    </div>
    <section id="stories" class="menu stories" popover="auto" aria-label="What happened" tabindex={0}>
      {stories.length === 0 && <p class="soft">Turn on the Zap and make its event happen. Its runs appear here.</p>}
      <ol aria-label="Activity, newest first">
        {stories.map((story) => (
          <StoryItem story={story} zaps={zaps} />
        ))}
      </ol>
    </section>
  </section>
);
