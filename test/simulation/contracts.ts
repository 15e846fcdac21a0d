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
  {
    id: 'ignores-keys',
    promise: 'A service that ignores keys gets no POST twice.',
    file,
    from: 'keepsKeys && (isWhole() || keepsIdempotencyKeys);',
    to: 'keepsKeys && !keepsKeys;',
    settings: { ignoresKeys: true, keyless: ['send_message', 'send_message_and_wait', 'start_campaign'] },
  },
  {
    id: 'starts-by-put',
    promise: 'A campaign that starts by PUT starts once.',
    file,
    from: byPost,
    to: byPut,
    settings: { startsBy: 'PUT', keyless: ['start_campaign'] },
  },
  {
    id: 'keeps-keys-of-put',
    promise: 'The keys of a PUT can be kept, too.',
    file,
    from: byPost,
    to: `${byPut}\n    keepsKeys: true,`,
    settings: { startsBy: 'PUT' },
  },
];
