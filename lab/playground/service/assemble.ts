import { decodeDelivery } from '../../../src/api/decode';
import { headers } from '../../../src/api/endpoints';
import type { Sandbox } from '../../sandbox/sandbox';
import type { StepResult } from '../../zapier/core/result';
import { Chats } from './chats';
import { Connection } from './connection';
import { resultFor } from './example-results';
import { Live } from './live';
import { newestZap } from './new-zaps';
import { Observer } from './observer';
import { OtherRecords } from './other-records';
import { findRow } from './other-windows';
import { connect } from './service';
import { Simulation } from './simulation';
import type { Store } from './store';
import { endFailure } from './tour';
import { TourState } from './tour-state';
import { removeUnknown } from './webhooks';
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
  const { clock } = sandbox;
  const live = new Live();
  const tourState = new TourState(store);
  const chats = new Chats();
  const otherRecords = new OtherRecords(store);
  const connection = new Connection(service, sandbox.tokens.advanced);
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
    others: { findRow: (...wanted) => findRow({ ...zapier, otherRecords }, ...wanted), resultFor },
    notify: (result?: StepResult) => {
      // A message that is only queued has no event yet.
      if (result?.account) chats.putOutput(result.output);
      live.changed('runs', 'phones');
      zapier.work.inBackground(endFailure({ ...zapier, chats, simulation, tourState }));
    },
    noteArrival: ({ delivery }) => decodeDelivery(delivery.cleanedRequest)?.id ?? '',
    onSubscribed: (subscription, isRenewal) => removeUnknown(service, subscription, isRenewal),
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
    otherRecords,
    connection,
    simulation,
    tourState,
    observer: new Observer({ service, clock, chats, live }, address),
    stop: async () => {
      clock.stop();
      live.stop();
      await zapier.stop();
    },
  };
};

/** Everything that the page shows or changes. */
export type Parts = Awaited<ReturnType<typeof assemble>>;
