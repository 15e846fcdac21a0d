import { type ActivityKind, activityKinds, type Activity as Entry } from '../service/activity';
import { checksPrefix } from '../service/lines';
import { maskSecrets, toReadableJson } from '../service/readable-json';
import type { Story } from '../service/stories';
import { PhoneLink } from './phone-link';
import { oneClick, refresh, swapPart } from './swap';
import { Time } from './time';

export interface ActivityView {
  kind?: ActivityKind | undefined;
  customer: string;
  /** The ids of the lines that are open. */
  open: readonly string[];
  count: number;
}

const address = ({ kind, customer, open, count }: ActivityView): string =>
  `/activity?${new URLSearchParams({ ...(kind && { kind }), customer, ...(open.length > 0 && { open: open.join() }), count: `${count}` })}`;

/** The filters for the address of the page, so that a reload shows the same lines. */
const filtersOf = ({ kind, customer }: ActivityView): string | undefined =>
  String(new URLSearchParams({ ...(kind && { kind }), ...(customer && { customer }) })) || undefined;

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

/** The value as readable JSON, with secrets masked. JSON in a text is shown as JSON. */
const format = (value: unknown): string => {
  if (typeof value === 'string' && /^[[{]/.test(value)) {
    try {
      return format(JSON.parse(value));
    } catch {
      return value;
    }
  }
  if (typeof value === 'string') return value;
  return toReadableJson(value, maskSecrets).slice(0, 20_000);
};

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

const Details = ({ entry, view }: { entry: Entry; view: ActivityView }) => (
  <div class="details">
    {entry.details
      .filter(({ value }) => !isBlank(value))
      .map(({ label, value }) => (
        <>
          <h3>{label}</h3>
          <pre tabindex={0}>{format(value)}</pre>
        </>
      ))}
    {entry.deliveryId !== undefined && (
      <p class="buttons">
        {[1, 2].map((times) => (
          <button
            type="button"
            id={`deliver-${times}`}
            class="secondary outline"
            hx-post={address(view)}
            hx-vals={JSON.stringify({ delivery: entry.deliveryId, times })}
            {...oneClick.button}
            {...swap}
          >
            {times === 1 ? 'Deliver again' : 'Deliver twice'}
          </button>
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

const Line = ({ entry, view }: { entry: Entry; view: ActivityView }) => (
  <li class={entry.kind}>
    <button type="button" id={`activity-${entry.id}`} class="line row" {...toggle(view, entry.id)}>
      <Time at={entry.at} />
      <span class="kind">
        {entry.number !== undefined && <Order line={entry} />}
        {labels[entry.kind]}
      </span>
      <span class="title" dir="auto">
        {entry.title}
      </span>
      <span class={entry.isProblem ? 'status bad' : 'status'}>{entry.status}</span>
    </button>
    {view.open.includes(entry.id) && <Details entry={entry} view={view} />}
    {entry.phone && <PhoneLink phone={entry.phone} />}
  </li>
);

const Order = ({ line: { number, cause } }: { line: Entry }) => (
  <>
    {`#${number} `}
    {cause !== undefined && `after #${cause} `}
  </>
);

const StoryLine = ({ story, view }: { story: Story; view: ActivityView }) => (
  <li class="story">
    <button type="button" id={`story-${story.id}`} class="line row" {...toggle(view, `story-${story.id}`)}>
      <Time at={story.at} />
      <span class="kind">{`#${story.number}`}</span>
      <span class={story.isProblem ? 'title problem' : 'title'} dir="auto">
        <strong>{story.headline.join(' → ')}</strong>
        {story.subject && <span class="subject">{story.subject}</span>}
      </span>
    </button>
    {view.open.includes(`story-${story.id}`) && (
      <ol class="lines" aria-label="From cause to effect">
        {story.lines.map((entry) => (
          <Line entry={entry} view={view} />
        ))}
        <li>
          <a
            class="save"
            href={`/activity/stories/${encodeURIComponent(story.id)}`}
            download={`story-${story.number}.json`}
          >
            Save the story
          </a>
        </li>
      </ol>
    )}
  </li>
);

/** Nothing tells the page of a poll without news. */
const isOfPolls = ({ lines }: Story): boolean => lines.some(({ id }) => id.startsWith(checksPrefix));

interface ActivityProps {
  view: ActivityView;
  entries: readonly Entry[];
  /** In place of the lines, when all kinds are shown. */
  stories?: readonly Story[] | undefined;
}

/** What happened in the service and in Zapier, newest first: each story, or each line of a kind. */
export const Activity = ({ view, entries, stories = [] }: ActivityProps) => (
  <section
    id="activity"
    aria-labelledby="activity-title"
    tabindex={-1}
    data-address={filtersOf(view)}
    {...refresh(address(view), 'activity')}
    {...(stories.some(isOfPolls) && { 'hx-trigger': 'activity from:body, every 5s' })}
  >
    <h2 id="activity-title">Activity</h2>
    <p class="intro">Everything that happened and why, newest first. Open a line to see its parts and their data.</p>
    <form class="filters" hx-get="/activity" hx-trigger="change, submit" {...swap}>
      <label>
        Show
        <select name="kind" id="activity-kind">
          <option value="">Stories</option>
          {activityKinds.map((kind) => (
            <option value={kind} selected={kind === view.kind}>
              {plurals[kind]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Customer
        <input
          type="search"
          name="customer"
          id="activity-customer"
          maxlength={50}
          value={view.customer}
          placeholder="Number"
        />
      </label>
    </form>
    {entries.length + stories.length === 0 && (
      <p class="empty">Nothing has happened yet. Write as a customer or test a step, and it appears here.</p>
    )}
    <ol class="lines" aria-label="Activity, newest first">
      {stories.slice(0, view.count).map((story) => (
        <StoryLine story={story} view={view} />
      ))}
      {entries.slice(0, view.count).map((entry) => (
        <Line entry={entry} view={view} />
      ))}
    </ol>
    {Math.max(entries.length, stories.length) > view.count && (
      <button
        type="button"
        id="earlier-activity"
        class="secondary outline"
        hx-get={address({ ...view, count: view.count + 50 })}
        {...swap}
      >
        Earlier activity
      </button>
    )}
  </section>
);
