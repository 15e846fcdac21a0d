/** What the contract may say instead: an edit of the app, and a service that is so. */
import type { Planted } from './planted';
import type { ServiceSettings } from './service';

interface Contract extends Planted {
  settings: Partial<ServiceSettings>;
}

const file = 'src/api/endpoints.ts';
const byPost = "triggerCampaign: endpoint('POST', '/campaigns/{id}/trigger', {";
const byPut = byPost.replace('POST', 'PUT');

export const contracts: readonly Contract[] = [
  // A service that ignores keys gets no POST twice.
  {
    id: 'ignores-keys',
    file: 'src/api/adapter.ts',
    from: 'keepsKeys && service.keepsIdempotencyKeys;',
    to: 'keepsKeys && !keepsKeys;',
    settings: { ignoresKeys: true, keyless: ['send_message', 'send_message_and_wait', 'start_campaign'] },
  },
  // A campaign that starts by PUT starts once.
  {
    id: 'starts-by-put',
    file,
    from: byPost,
    to: byPut,
    settings: { startsBy: 'PUT', keyless: ['start_campaign'] },
  },
  // The keys of a PUT can be kept, too.
  {
    id: 'keeps-keys-of-put',
    file,
    from: byPost,
    to: `${byPut}\n    keepsKeys: true,`,
    settings: { startsBy: 'PUT' },
  },
];
