import { hasEnded } from '../../zapier/runs/run';
import type { Zap } from '../../zapier/zap/zap';
import { type ListedRecord, maxCell, type Sheet } from '../service/other-records';
import type { Arrival, OtherWindow } from '../service/other-windows';
import { hasStopped } from '../service/run-facts';
import { AppIcon } from './app-icon';
import { Icon, type IconName } from './icon';
import { waits } from './painted-run';
import { oneClick, refresh, swapPart } from './swap';
import { Clock } from './time';

interface Said {
  icon: IconName;
  text: string;
  look: string;
}

/** What became of the run that a record started. */
const sayRun = ({ run }: ListedRecord): Said | undefined => {
  if (!run) return undefined;
  if (hasStopped(run)) return { icon: 'circle-x', text: 'The run stopped', look: 'bad' };
  if (waits(run)) return { icon: 'clock', text: 'The run waits', look: 'waiting' };
  return hasEnded(run)
    ? { icon: 'circle-check', text: 'The Zap ran', look: 'success' }
    : { icon: 'loader-circle', text: 'The Zap is running', look: '' };
};

const Row = ({ record }: { record: ListedRecord }) => {
  const said = sayRun(record);
  return (
    <tr id={`record-${record.id}`}>
      {record.cells.map((cell) => (
        <td dir="auto">{cell}</td>
      ))}
      <td class={`status ${said?.look ?? ''}`}>
        {said && (
          <>
            <Icon name={said.icon} />
            <span class="visually-hidden">{said.text}</span>
          </>
        )}
      </td>
    </tr>
  );
};

/** The records of an app that starts the Zap. The last row is the next one to add. */
const Records = ({ zap, app, sheet: { noun, columns, records, next } }: { zap: Zap; app: string; sheet: Sheet }) => (
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
                  aria-label={`${columns[at]?.label} of the next ${noun}`}
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
        Add this {noun}
      </button>
      <span class="soft">{zap.isOn ? `Each ${noun} runs the Zap.` : 'The Zap is off. Turn it on to run it.'}</span>
    </p>
  </form>
);

const ChannelMessage = ({ arrival: { fields, at } }: { arrival: Arrival }) => {
  const { Channel: _, ...texts } = fields;
  return (
    <>
      <p class="from">
        <strong>Zapier</strong> <span class="pill">App</span> <Clock at={at} />
      </p>
      {Object.values(texts).map((text) => (
        <p dir="auto">{text}</p>
      ))}
    </>
  );
};

const Mail = ({ arrival: { fields, at } }: { arrival: Arrival }) => {
  const { Subject: subject, To: to, ...texts } = fields;
  return (
    <>
      <p class="from">
        <strong dir="auto">{subject}</strong> <Clock at={at} />
      </p>
      {to && (
        <p class="soft" dir="auto">
          To {to}
        </p>
      )}
      {Object.values(texts).map((text) => (
        <p dir="auto">{text}</p>
      ))}
    </>
  );
};

const Entry = ({ arrival: { fields } }: { arrival: Arrival }) => (
  <dl>
    {Object.entries(fields).map(([name, text]) => (
      <div>
        <dt dir="auto">{name}</dt>
        <dd dir="auto">{text}</dd>
      </div>
    ))}
  </dl>
);

const lookOf = ({ fields }: Arrival) => {
  if ('Channel' in fields) return ChannelMessage;
  return 'Subject' in fields ? Mail : Entry;
};

const Arrivals = ({ app, arrivals }: { app: string; arrivals: readonly Arrival[] }) => (
  <ol class="arrivals" aria-label={`What arrived in ${app}`} aria-live="polite" aria-relevant="additions" tabindex={0}>
    {arrivals.length === 0 && <li class="soft">Nothing has arrived yet.</li>}
    {arrivals.map((arrival) => {
      const Look = lookOf(arrival);
      return (
        <li id={`arrival-${arrival.id}`}>
          <Look arrival={arrival} />
        </li>
      );
    })}
  </ol>
);

/** What the title of a window adds to its app: the channel that the messages are in, or how many arrived. */
const describePlace = ({ sheet, arrivals = [] }: OtherWindow): string => {
  if (sheet) return `${sheet.records.length} ${sheet.records.length === 1 ? sheet.noun : `${sheet.noun}s`}`;
  return arrivals[0]?.fields.Channel ?? `${arrivals.length} arrived`;
};

/** A small window for each other app of the Zap: records to add where it starts, and what arrived where it writes. */
export const OtherWindows = ({ zap, windows }: { zap: Zap; windows: readonly OtherWindow[] }) => (
  <section id="windows" class="windows" aria-label="Other apps" {...refresh(`/windows/${zap.id}`, 'runs')}>
    {windows.map((window) => (
      <article class="window" aria-label={window.app}>
        <button type="button" class="row window-title" data-folds title="Fold or unfold the windows">
          <AppIcon app={window.app} />
          <strong>{window.app}</strong>
          <span class="soft">{describePlace(window)}</span>
          <Icon name="chevron-down" />
        </button>
        {window.sheet && <Records zap={zap} app={window.app} sheet={window.sheet} />}
        {window.arrivals && <Arrivals app={window.app} arrivals={window.arrivals} />}
      </article>
    ))}
  </section>
);
