import { validationError } from '../api-error';

/** The channels of every workspace, with the number that messages come from. */
const channels: Record<string, { name: string; number: string }> = {
  whatsapp: { name: 'WhatsApp', number: '+12025550190' },
  sms: { name: 'SMS', number: '+12025550191' },
};

/** Returns all channels as the API lists them. */
export const listChannels = () => Object.entries(channels).map(([key, { name }]) => ({ key, name }));

/** Returns the workspace's number on the channel. Throws a 422 when there is no such channel. */
export const ownNumber = (channel: string): string => {
  const found = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
  if (found) return found.number;
  throw validationError([{ field: 'channel', message: `must be one of ${Object.keys(channels).join(', ')}` }]);
};
