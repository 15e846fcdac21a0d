import { validationError } from '../engine/api-error';
import type { ListQuery } from '../store/pages';

/** The channels of every workspace, with the number that messages come from. */
const channels: Record<string, { name: string; number: string }> = {
  whatsapp: { name: 'WhatsApp', number: '+12025550190' },
  sms: { name: 'SMS', number: '+12025550191' },
};

/** Returns a page of channels. Its cursor is the number of channels before the next page. */
export const listChannels = ({ limit, offset }: Pick<ListQuery, 'limit' | 'offset'>) => {
  const all = Object.entries(channels).map(([key, { name }]) => ({ key, name }));
  const end = offset + limit;
  return { data: all.slice(offset, end), next_cursor: end < all.length ? String(end) : null };
};

/** Returns the workspace's number on the channel. Throws a 422 when there is no such channel. */
export const ownNumber = (channel: string): string => {
  const found = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
  if (found) return found.number;
  throw validationError([{ field: 'channel', message: `must be one of ${Object.keys(channels).join(', ')}` }]);
};
