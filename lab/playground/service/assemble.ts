import { headers } from '../../../src/api/endpoints';
import type { Sandbox } from '../../sandbox/sandbox';
import type { StepResult } from '../../zapier/core/result';
import { Arrivals } from './arrivals';
import { Chats } from './chats';
import { Clock } from './clock';
import { Connection } from './connection';
import { GrowthMessages } from './growth-messages';
import { Ledger } from './ledger';
import { Live } from './live';
import { newestZap } from './new-zaps';
import { messageLine, Observer } from './observer';
import { OtherRecords } from './other-records';
import { findRow } from './other-windows';
import { messagesIn } from './sent-messages';
import { connect, Service } from './service';
import { Simulation } from './simulation';
import type { Store } from './store';
import { endFailure } from './tour';
import { TourState } from './tour-state';
import { checkWebhooks } from './webhooks';
import { startZapier } from './zapier';

interface Setting {
  /** The address of the playground, whose routes receive deliveries and callbacks. */
  address: string;
  sandbox: Sandbox;
  store: Store;
  /** Empties everything and starts again. */
  startOver: () => Promise<void>;
}

const shownHeaders = [headers.idempotencyKey, headers.idempotentReplayed, headers.requestId];

/** Puts the parts of the playground together: the service, the simulated Zapier and what the page shows. */
export const assemble = async ({ address, sandbox, store, startOver }: Setting) => {
  const service = await connect(sandbox.url);
  const clock = await Clock.read(service);
  const live = new Live();
  const tourState = new TourState(store);
  const chats = new Chats();
  const ledger: Ledger = new Ledger(store, () => zapier.runs.list());
  const arrivals = new Arrivals(ledger);
  const otherRecords = new OtherRecords(store);
  const connection = new Connection(service, sandbox.tokens);
  /** Shows the messages of a step on the phones. What they lead to comes after them. */
  const noteMessages = ({ output }: StepResult) => {
    chats.putOutput(output);
    for (const { id, direction } of messagesIn(output)) {
      if (direction === 'outbound') ledger.numberOf(messageLine(id));
    }
  };
  const zapier = await startZapier({
    store,
    clock,
    connection,
    shownHeaders,
    // What a search finds isn't rehearsed, so it needs no token.
    rehearsalAuth: (operation) => ({
      ...connection.authData,
      base_url: sandbox.rehearsalUrl,
      ...(!operation.startsWith('creates.') && { api_token: 'rehearsal' }),
    }),
    address: `${address}/zapier`,
    findRow: (...wanted) => findRow({ ...zapier, otherRecords }, ...wanted),
    notify: (result?: StepResult) => {
      if (result?.account === Connection.onPhones) noteMessages(result);
      live.changed('runs', 'activity', 'phones');
      zapier.work.inBackground(endFailure({ ...zapier, chats, simulation, tourState }));
    },
    noteArrival: (arrival) => arrivals.note(arrival),
    onSubscribed: (subscription, isRenewal) => checkWebhooks(service, subscription, isRenewal),
  });
  // The page always shows a Zap.
  newestZap(zapier.zaps);
  const simulation = new Simulation({ service, clock, live });
  return {
    ...zapier,
    startOver,
    /** Resolves when no run goes on, no request is in flight, and no delivery or other work is due. */
    settled: () => zapier.work.settled(() => clock.advance(0)),
    service,
    clock,
    live,
    chats,
    growth: new GrowthMessages(new Service(service.url, sandbox.tokens.growth)),
    arrivals,
    ledger,
    otherRecords,
    connection,
    simulation,
    tourState,
    observer: new Observer({ store, service, clock, chats, live, ledger }, address),
    stop: async () => {
      for (const each of [simulation, clock, live]) each.stop();
      await zapier.stop();
    },
  };
};

/** Everything that the page shows or changes. */
export type Parts = Awaited<ReturnType<typeof assemble>>;
