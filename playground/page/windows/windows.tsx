import { hasEnded } from '../../../zapier/runs/run';
import type { Zap } from '../../../zapier/zap/zap';
import { maxCell } from '../../service/other-records';
import type { Arrival, ListedRecord, OtherWindow, Sheet } from '../../service/other-windows';
import { hasStopped } from '../../service/run-notes';
import { waits } from '../canvas/painted-run';
import { AppIcon } from '../elements/app-icon';
import { Icon, type IconName } from '../elements/icon';
import { oneClick, refresh, swapPart } from '../elements/swap';
import { Clock } from '../elements/time';

interface Outcome {
  icon: IconName;
  text: string;
  look: string;
}

/** What became of the run that a record started. */
const outcomeOf = ({ run }: ListedRecord): Outcome | undefined => {
  if (!run) return undefined;
  if (hasStopped(run)) return { icon: 'circle-x', text: 'The run stopped', look: 'bad' };
  if (waits(run)) return { icon: 'clock', text: 'The run waits', look: 'waiting' };
  return hasEnded(run)
    ? { icon: 'circle-check', text: 'The Zap ran', look: 'success' }
    : { icon: 'loader-circle', text: 'The Zap is running', look: '' };
};

const Row = ({ record }: { record: ListedRecord }) => {
  const outcome = outcomeOf(record);
  return (
    <tr id={`record-${record.id}`}>
      {record.cells.map((cell) => (
        <td dir="auto">{cell}</td>
      ))}
      <td class={`status ${outcome?.look ?? ''}`}>
        {outcome && (
          <>
            <Icon name={outcome.icon} />
            <span class="visually-hidden">{outcome.text}</span>
          </>
        )}
      </td>
    </tr>
  );
};

/** The records of an app that starts the Zap. The last row is the next one to add. */
const Records = ({ zap, app, sheet: { event, columns, records, next } }: { zap: Zap; app: string; sheet: Sheet }) => (
  <form id="add-record" hx-post={`/windows/${zap.id}/records`} {...swapPart('windows')} {...oneClick.form} data-reset>
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
          {records.map((record) => (
            <Row record={record} />
          ))}
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
        </tbody>
      </table>
    </section>
    <p class="add-line">
      <button type="submit" id="add-record-button" class="outline small">
        <Icon name="plus" />
        {event}
      </button>
      <span class="soft">{zap.isOn ? 'Each one runs the Zap.' : 'The Zap is off. Turn it on to run it.'}</span>
    </p>
  </form>
);

/** What a step wrote: by its field's names, or only the text when there is one. */
const Line = ({ arrival: { fields, at } }: { arrival: Arrival }) => {
  const [only, ...others] = Object.entries(fields);
  return (
    <>
      <p class="from">
        <strong>Zapier</strong> <Clock at={at} />
      </p>
      {only && others.length === 0 ? (
        <p dir="auto">{only[1]}</p>
      ) : (
        <dl>
          {Object.entries(fields).map(([name, text]) => (
            <div>
              <dt dir="auto">{name}</dt>
              <dd dir="auto">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
};

const Arrivals = ({ app, arrivals }: { app: string; arrivals: readonly Arrival[] }) => (
  <ol class="arrivals" aria-label={`What arrived in ${app}`} aria-live="polite" aria-relevant="additions" tabindex={0}>
    {arrivals.length === 0 && <li class="soft">Nothing has arrived yet.</li>}
    {arrivals.map((arrival) => (
      <li id={`arrival-${arrival.id}`}>
        <Line arrival={arrival} />
      </li>
    ))}
  </ol>
);

/** How many records a window has, or how many arrived. */
const describeCount = ({ sheet, arrivals = [] }: OtherWindow): string => {
  if (sheet) return sheet.records.length === 1 ? '1 record' : `${sheet.records.length} records`;
  return `${arrivals.length} arrived`;
};

/** A small window for each other app of the Zap: records to add where it starts, and what arrived where it writes. */
export const OtherWindows = ({ zap, windows }: { zap: Zap; windows: readonly OtherWindow[] }) => (
  <section id="windows" class="windows" aria-label="Other apps" {...refresh(`/windows/${zap.id}`, 'runs')}>
    {windows.map((window) => (
      <article class="window" aria-label={window.app}>
        <button type="button" class="row window-title" data-folds title="Fold or unfold the windows">
          <AppIcon app={window.app} />
          <strong>{window.app}</strong>
          <span class="soft">{describeCount(window)}</span>
          <Icon name="chevron-down" />
        </button>
        {window.sheet && <Records zap={zap} app={window.app} sheet={window.sheet} />}
        {window.arrivals && <Arrivals app={window.app} arrivals={window.arrivals} />}
      </article>
    ))}
  </section>
);
