import { type ActivityKind, activityKinds, type Activity as Entry } from '../activity';
import { toReadableJson } from '../readable-json';
import { oneClick, refresh, swapPart } from './swap';
import { Time } from './time';

export interface ActivityView {
  kind?: ActivityKind | undefined;
  customer: string;
  /** The id of the line that is open. */
  open?: string | undefined;
  count: number;
}

const address = ({ kind, customer, open, count }: ActivityView): string =>
  `/activity?${new URLSearchParams({ ...(kind && { kind }), customer, ...(open && { open }), count: `${count}` })}`;

/** The filters for the address of the page, so that a reload shows the same lines. */
const filtersOf = ({ kind, customer }: ActivityView): string | undefined =>
  String(new URLSearchParams({ ...(kind && { kind }), ...(customer && { customer }) })) || undefined;

const swap = swapPart('activity');

const labels: Record<ActivityKind, string> = {
  request: 'API request',
  event: 'Event',
  delivery: 'Webhook delivery',
  run: 'Zap run',
};

const plurals: Record<ActivityKind, string> = {
  request: 'API requests',
  event: 'Events',
  delivery: 'Deliveries',
  run: 'Zap runs',
};

const secretNames = /^(authorization|secret|api_token|token|password|http-authorization)$/i;

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
  const mask = (name: string, item: unknown) =>
    secretNames.test(name) && typeof item === 'string' ? `***${item.slice(-4)}` : item;
  return toReadableJson(value, mask).slice(0, 20_000);
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

const Line = ({ entry, view }: { entry: Entry; view: ActivityView }) => {
  const isOpen = view.open === entry.id;
  return (
    <li class={entry.kind}>
      <button
        type="button"
        id={`activity-${entry.id}`}
        class="line row"
        aria-expanded={isOpen ? 'true' : 'false'}
        hx-get={address({ ...view, open: isOpen ? undefined : entry.id })}
        {...swap}
      >
        <Time at={entry.at} />
        <span class="kind">{labels[entry.kind]}</span>
        <span class="title" dir="auto">
          {entry.title}
        </span>
        <span class={entry.isProblem ? 'status bad' : 'status'}>{entry.status}</span>
      </button>
      {isOpen && <Details entry={entry} view={view} />}
    </li>
  );
};

/** What happened in the service and in Zapier, newest first. */
export const Activity = ({ view, entries }: { view: ActivityView; entries: readonly Entry[] }) => (
  <section
    id="activity"
    aria-labelledby="activity-title"
    tabindex={-1}
    data-address={filtersOf(view)}
    {...refresh(address(view), 'activity')}
  >
    <h2 id="activity-title">Activity</h2>
    <p class="intro">Everything that the service and Zapier do, newest first. Open a line to see its data.</p>
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
    {entries.length === 0 && <p class="empty">Nothing yet. Write as a customer or test a step, and it appears here.</p>}
    <ol class="lines" aria-label="Activity, newest first">
      {entries.slice(0, view.count).map((entry) => (
        <Line entry={entry} view={view} />
      ))}
    </ol>
    {entries.length > view.count && (
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
