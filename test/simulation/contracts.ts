/** What the contract may say instead: an edit of the app, and a service that is so. */
import type { Planted } from './planted';
import type { ServiceSettings } from './records';

interface Contract extends Planted {
  settings: Partial<ServiceSettings>;
}

export const contracts: readonly Contract[] = [
  // A service that ignores keys gets no POST twice.
  {
    id: 'ignores-keys',
    file: 'src/api/adapter.ts',
    from: 'specifiesKey(endpoint) && service.keepsIdempotencyKeys;',
    to: 'specifiesKey(endpoint) && !specifiesKey(endpoint);',
    settings: { ignoresKeys: true, keyless: ['send_message', 'send_message_and_wait', 'start_campaign'] },
  },
];
