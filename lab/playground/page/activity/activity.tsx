import { statusText } from '../../../zapier/core/result';
import {
  type ActivityKind,
  activityKinds,
  type Activity as Entry,
  isBlank,
  type ShownRun,
  type StoppedStep,
} from '../../service/activity';
import { isOnItsWay } from '../../service/growth-messages';
import { checksPrefix } from '../../service/lines';
import type { Story } from '../../service/stories';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { SkipWait } from '../elements/skip-wait';
import { oneClick, posts, refresh, swapPart, swapZap } from '../elements/swap';
import { Time } from '../elements/time';
import { PhoneLink } from '../phone/phone-link';
import { ReadableValue } from './readable-value';
import { Beats, formatGap, iconOf, lookOf, StoryLine } from './story-line';

export interface ActivityView {
  kind?: ActivityKind | undefined;
  customer: string;
  /** The ids of the lines that are open. */
  open: readonly string[];
  count: number;
  /** Whether only the latest story shows, in a line. */
  isLine: boolean;
}

const address = ({ kind, customer, open, count, isLine }: ActivityView): string =>
  `/activity?${new URLSearchParams({
    ...(kind && { kind }),
    ...(isLine && { line: '1' }),
    customer,
    ...(open.length > 0 && { open: open.join() }),
    count: `${count}`,
  })}`;

/** The filters for the address of the page, so that a reload shows the same lines. */
const filtersOf = ({ kind, customer, isLine }: ActivityView): string =>
  String(
    new URLSearchParams({ ...(!isLine && { stories: '1' }), ...(kind && { kind }), ...(customer && { customer }) }),
  );

const swap = swapPart('activity');

/** The most lines that are open at once. */
export const maxOpen = 20;

const labels: Record<ActivityKind, string> = {
  request: 'API request',
  event: 'Event',
  delivery: 'Webhook delivery',
  run: 'Zap run',
};

const plurals: Record<ActivityKind, string> = {
  request: 'Every API request',
  event: 'Events',
  delivery: 'Deliveries',
  run: 'Zap runs',
};

const Details = ({ entry, view }: { entry: Entry; view: ActivityView }) => (
  <div class="details">
    {entry.details
      .filter(({ value }) => !isBlank(value))
      .map(({ label, value }) => (
        <>
          <h2>{label}</h2>
          <ReadableValue value={value} />
        </>
      ))}
    {entry.deliveryId !== undefined && (
      <p class="buttons">
        {[1, 2].map((times) => (
          <Button
            id={`deliver-${times}`}
            class="outline"
            {...posts(address(view), { delivery: entry.deliveryId, times })}
            {...oneClick.button}
            {...swap}
          >
            {times === 1 ? 'Deliver again' : 'Deliver twice'}
          </Button>
        ))}
      </p>
    )}
  </div>
);

/** Opens a line beside those that are open, or closes it. */
const toggle = (view: ActivityView, id: string) => {
  const others = view.open.filter((each) => each !== id);
  const isOpen = others.length < view.open.length;
  const open = isOpen ? others : [...others, id].slice(-maxOpen);
  return { 'aria-expanded': isOpen ? 'true' : 'false', 'hx-get': address({ ...view, open }), ...swap } as const;
};

const repeats = { replay: 'Replay', autoreplay: 'Replay as Autoreplay would' } as const;

/** Repeats a run. The page hears of the new one by itself. */
const Repeat = ({ id, zap, how }: { id: string; zap: string; how: keyof typeof repeats }) => (
  <Button
    id={`${how}-${id}`}
    class="outline small"
    hx-post={`/zap/${zap}/runs/${id}/${how}`}
    hx-swap="none"
    {...oneClick.button}
  >
    {repeats[how]}
  </Button>
);

/** Leads to the canvas with what a run did, and repeats it. */
const RunActs = ({ id, run: { zap, at, canReplay, canContinue } }: { id: string; run: ShownRun }) => (
  <>
    <Button
      id={`show-run-${id}`}
      class="outline small"
      data-shows="zap"
      hx-get={`/zap/${zap}?step=${at}&run=${id}`}
      {...swapZap}
    >
      Show on the canvas
    </Button>
    {canReplay && <Repeat id={id} zap={zap} how="replay" />}
    {canContinue && <Repeat id={id} zap={zap} how="autoreplay" />}
  </>
);

interface LineProps {
  entry: Entry;
  view: ActivityView;
  /** The line before it in its story. */
  before?: Entry | undefined;
}

const Line = ({ entry, view, before }: LineProps) => (
  <li class={entry.kind}>
    <Button id={`activity-${entry.id}`} class="line row" {...toggle(view, entry.id)}>
      <Time at={entry.at} />
      <span class="kind">
        {entry.number !== undefined && <Order line={entry} />}
        {labels[entry.kind]}
        {before && formatGap(before.at, entry.at) && ` · ${formatGap(before.at, entry.at)} later`}
      </span>
      <span class={`title ${lookOf(entry)}`}>
        <span class="beat-icon">
          <Icon name={iconOf(entry)} />
        </span>
        <span class="beat-text" dir="auto">
          {entry.title}
        </span>
      </span>
      <span class={`status ${toneOf(entry)}`}>{entry.status}</span>
    </Button>
    {view.open.includes(entry.id) && <Details entry={entry} view={view} />}
    {(entry.run || entry.phone) && (
      <p class="buttons">
        {entry.run && <RunActs id={entry.id} run={entry.run} />}
        {entry.phone && <PhoneLink phone={entry.phone} />}
      </p>
    )}
  </li>
);

const toneOf = ({ isProblem, isHeld }: Entry): string => (isProblem ? 'bad' : isHeld ? 'held' : '');

const Order = ({ line: { number, cause } }: { line: Entry }) => (
  <>
    {`#${number} `}
    {cause !== undefined && `after #${cause} `}
  </>
);

const StoryItem = ({ story, view }: { story: Story; view: ActivityView }) => (
  <li class="story">
    <Button id={`story-${story.id}`} class="line row" {...toggle(view, `story-${story.id}`)}>
      <Time at={story.at} />
      <span class="kind">{`#${story.number}`}</span>
      <span class="title">
        <Beats story={story} />
        {story.subject && (
          <span class="subject" dir="auto">
            {story.subject}
          </span>
        )}
      </span>
    </Button>
    {view.open.includes(`story-${story.id}`) && (
      <ol class="lines" aria-label="From cause to effect">
        {story.lines.map((entry, at) => (
          <Line entry={entry} view={view} before={story.lines[at - 1]} />
        ))}
        <li>
          <a
            class="save"
            href={`/activity/stories/${encodeURIComponent(story.id)}`}
            download={`story-${story.number}.json`}
          >
            Save as a file
          </a>
        </li>
      </ol>
    )}
  </li>
);

/** Nothing tells the page of a poll without news, of a request that a step tries again, and of messages of the Growth plan. */
const changesSilently = ({ lines }: Story): boolean =>
  lines.some(
    ({ id, kind, status }) =>
      id.startsWith(checksPrefix) || (kind === 'run' ? status === statusText.running : isOnItsWay({ status })),
  );

const Filters = ({ view }: { view: ActivityView }) => (
  <form class="filters" hx-get="/activity" hx-trigger="change, submit" {...swap}>
    <label>
      Show
      <select name="kind" id="activity-kind">
        <option value="">Everything</option>
        {activityKinds.map((kind) => (
          <option value={kind} selected={kind === view.kind}>
            {plurals[kind]}
          </option>
        ))}
      </select>
    </label>
    <label>
      Search
      <input
        type="search"
        name="customer"
        id="activity-customer"
        maxlength={50}
        value={view.customer}
        placeholder="Number or Zap"
      />
    </label>
  </form>
);

interface ActivityProps {
  view: ActivityView;
  entries: readonly Entry[];
  /** In place of the lines, when all kinds are shown. */
  stories?: readonly Story[] | undefined;
}

const Drawer = ({ view, entries, stories = [] }: ActivityProps) => (
  <div class="drawer">
    <Filters view={view} />
    {(view.kind === 'run' || view.open.length > 0) && (
      <p class="soft">
        Replay repeats every step, and sends messages again unless Send Once for Each has a value. Autoreplay continues
        at the step that failed.
      </p>
    )}
    {entries.length + stories.length === 0 && (
      <p class="empty">Nothing has happened yet. Write as a customer or test a step, and it appears here.</p>
    )}
    <ol class="lines" aria-label="Activity, newest first">
      {stories.slice(0, view.count).map((story) => (
        <StoryItem story={story} view={view} />
      ))}
      {entries.slice(0, view.count).map((entry) => (
        <Line entry={entry} view={view} />
      ))}
    </ol>
    {Math.max(entries.length, stories.length) > view.count && (
      <Button id="earlier-activity" class="outline" hx-get={address({ ...view, count: view.count + 50 })} {...swap}>
        Earlier activity
      </Button>
    )}
  </div>
);

/** How much activity there is, as far as it was read. */
const countStories = ({ view, stories = [] }: ActivityProps): string => {
  if (stories.length === 0) return '';
  return ` (${stories.length > view.count ? `${view.count}+` : stories.length})`;
};

/** When the last part of a story happened. */
const newestIn = ({ lines }: Story): number => Math.max(...lines.map(({ at }) => Date.parse(at)));

/** What a person or a Zap caused isn't replaced by what the customers of the service do by themselves. */
const findLatest = (stories: readonly Story[]): Story | undefined => {
  const newest = stories.toSorted((a, b) => newestIn(b) - newestIn(a));
  return newest.find(({ isCaused }) => isCaused) ?? newest[0];
};

/** Leads to the step that stopped the run of a story. */
const OpenStep = ({ step: { zap, at, run } }: { step: StoppedStep }) => (
  <Button
    id="open-stopped"
    class="outline"
    data-shows="step"
    hx-get={`/zap/${zap}?${new URLSearchParams({ step: `${at}`, stage: 'test', ...(run && { run }) })}`}
    {...swapZap}
  >
    Open step {at + 1}
  </Button>
);

const Latest = ({ stories }: { stories: readonly Story[] }) => {
  const latest = findLatest(stories);
  const step = latest?.lines.findLast((line) => line.step)?.step;
  // A run may wait that the latest activity isn't about.
  const until = stories.flatMap(({ lines }) => lines).find((line) => line.waitsUntil)?.waitsUntil;
  if (!latest) return <p class="soft">No activity yet</p>;
  return (
    <>
      <StoryLine story={latest} />
      {step && <OpenStep step={step} />}
      {until && <SkipWait id="skip-wait" until={until} />}
    </>
  );
};

/** The latest story in a line, which opens upward as a drawer with every story, or each line of a kind. */
export const Activity = (props: ActivityProps) => {
  const { view, stories = [] } = props;
  return (
    <section
      id="activity"
      class={view.isLine ? 'story-pane' : 'story-pane open'}
      aria-label="Activity"
      tabindex={-1}
      data-address={filtersOf(view)}
      {...refresh(address(view), 'activity')}
      {...(stories.some(changesSilently) && { 'hx-trigger': 'activity from:body, every 2s' })}
    >
      <div class="story-line">
        {view.isLine ? <Latest stories={stories} /> : <h2>Activity</h2>}
        <Button
          id="open-stories"
          class="quiet"
          data-shows="story"
          aria-expanded={view.isLine ? 'false' : 'true'}
          hx-get={address({ ...view, kind: undefined, isLine: !view.isLine })}
          {...swap}
        >
          <Icon name={view.isLine ? 'chevron-up' : 'chevron-down'} />
          {view.isLine ? `Activity${countStories(props)}` : 'Close'}
        </Button>
      </div>
      {!view.isLine && <Drawer {...props} />}
    </section>
  );
};
