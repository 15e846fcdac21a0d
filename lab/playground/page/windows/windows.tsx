import { capitalize } from '../../../../src/api/labels';
import type { Zap } from '../../../zapier/zap/zap';
import { maxCell } from '../../service/other-records';
import type { Arrival, OtherWindow, Table } from '../../service/other-windows';
import { stoppedAt } from '../../service/run-notes';
import { type Look, lookOf } from '../canvas/painted-run';
import { AppIcon } from '../elements/app-icon';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { oneClick, posts, refresh, swapPart } from '../elements/swap';
import { isTicked, Ticks } from '../elements/ticks';
import { Clock } from '../elements/time';
import { Approvals } from './approvals';
import { Texts } from './texts';

type Row = Table['rows'][number];

/** What a row says of the run that it started. */
const outcomes: Record<Look['look'], string> = {
  running: 'The Zap is running',
  passed: 'The Zap ran',
  waits: 'The run waits',
  filtered: 'The run stopped as planned',
  failed: 'The run stopped',
};

/** The status of a message with its ticks. */
const Status = ({ status }: { status: string }) => (
  <>
    <Ticks status={status} /> <span aria-hidden="true">{status}</span>
  </>
);

const Line = ({ row, columns }: { row: Row; columns: Table['columns'] }) => {
  const outcome = row.run && lookOf(row.run.steps[stoppedAt(row.run) ?? -1] ?? row.run);
  return (
    <tr id={`record-${row.id}`} class={row.isRemoved ? 'removed' : ''}>
      {row.cells.map((text, at) => (
        <td dir="auto">{columns[at]?.label === 'Status' && isTicked(text) ? <Status status={text} /> : text}</td>
      ))}
      <td class={`status ${outcome?.look ?? ''}`}>
        {outcome && (
          <>
            <Icon name={outcome.icon} />
            <span class="visually-hidden">{outcomes[outcome.look]}</span>
          </>
        )}
      </td>
    </tr>
  );
};

/** The next row to add, whose cells a person may change. */
const Next = ({ next, columns }: { next: readonly string[]; columns: Table['columns'] }) => (
  <tr class="next">
    {next.map((text, at) => (
      <td>
        <input
          id={`cell-${at}`}
          name="cell"
          value={text}
          maxlength={maxCell}
          aria-label={`${columns[at]?.label} of the next record`}
          autocomplete="off"
          dir="auto"
        />
      </td>
    ))}
    <td />
  </tr>
);

interface RowsProps {
  /** The Zap that the person looks at. Another one may start with the rows. */
  zap: Zap;
  app: string;
  table: Table;
}

const Rows = ({ app, table: { columns, rows, start } }: Omit<RowsProps, 'zap'>) => (
  <section class="sheet-scroll" tabindex={0} aria-label={`Records in ${app}`}>
    <table class="records">
      <thead>
        <tr>
          {columns.map(({ label }) => (
            <th scope="col">{label}</th>
          ))}
          <th scope="col">
            <span class="visually-hidden">Run</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line row={row} columns={columns} />
        ))}
        {start && <Next next={start.next} columns={columns} />}
      </tbody>
    </table>
  </section>
);

/** The rows of an app. When they start a Zap, the last one is the next to add. */
const Records = ({ zap, app, table }: RowsProps) => {
  const { start } = table;
  if (!start) return <Rows app={app} table={table} />;
  const which = start.zap === zap ? 'the Zap' : `"${start.zap.title}"`;
  return (
    <form
      id="add-record"
      {...posts(`/windows/${start.zap.id}/records`, { shown: zap.id })}
      {...swapPart('windows')}
      {...oneClick.form}
      data-reset
    >
      <Rows app={app} table={table} />
      <p class="add-line">
        <button type="submit" id="add-record-button" class="outline small">
          <Icon name="plus" />
          {start.event}
        </button>
        <span class="soft">
          {start.zap.isOn ? `Each one runs ${which}.` : `${capitalize(which)} is off. Turn it on to run it.`}
        </span>
      </p>
    </form>
  );
};

/** The fields that name the place to which a step writes. */
const places = ['Channel', 'To'];

/** What a step wrote: by its field's names, or only the text when there is one. */
const Written = ({ arrival: { fields, at } }: { arrival: Arrival }) => {
  const named = Object.entries(fields);
  const place = named.find(([name]) => places.includes(name));
  const texts = named.filter((field) => field !== place);
  const [only, ...others] = texts;
  return (
    <>
      <p class="from">
        <strong>Zapier</strong> {place && <span dir="auto">{place[1]}</span>} <Clock at={at} />
      </p>
      {only && others.length === 0 ? (
        <p class="written" dir="auto">
          {only[1]}
        </p>
      ) : (
        <Texts texts={texts} />
      )}
    </>
  );
};

const Arrivals = ({ app, arrivals }: { app: string; arrivals: readonly Arrival[] }) => (
  <ol class="arrivals" aria-label={`What arrived in ${app}`} aria-live="polite" aria-relevant="additions" tabindex={0}>
    {arrivals.length === 0 && <li class="soft">Nothing has arrived yet.</li>}
    {arrivals.map((arrival) => (
      <li id={`arrival-${arrival.id}`}>
        <Written arrival={arrival} />
      </li>
    ))}
  </ol>
);

/** How many records a window has, or how many arrived. */
const describeCount = ({ table, arrivals = [], approvals }: OtherWindow): string => {
  if (approvals) return `${approvals.filter(({ decision }) => !decision).length} to review`;
  if (table) return table.rows.length === 1 ? '1 record' : `${table.rows.length} records`;
  return `${arrivals.length} arrived`;
};

/** A small window for each other app of the Zap: records to add where it starts, and what arrived where it writes. */
export const OtherWindows = ({ zap, windows }: { zap: Zap; windows: readonly OtherWindow[] }) => (
  <section id="windows" class="windows" aria-label="Other apps" {...refresh(`/windows/${zap.id}`, 'runs')}>
    {windows.map((window) => (
      <article class="window" aria-label={window.app}>
        <Button class="row window-title" data-folds title="Fold or unfold the windows">
          <AppIcon app={window.app} />
          <strong>{window.app}</strong>
          <span class="soft">{describeCount(window)}</span>
          <Icon name="chevron-down" />
        </Button>
        {window.table && <Records zap={zap} app={window.app} table={window.table} />}
        {window.approvals && <Approvals zap={zap} approvals={window.approvals} />}
        {window.arrivals && <Arrivals app={window.app} arrivals={window.arrivals} />}
      </article>
    ))}
  </section>
);
