import listChannels from '../triggers/list-channels';
import { defineInputField } from './platform';

/** Which channel an action sends on. */
export const channelField = defineInputField({
  key: 'channel',
  label: 'Channel',
  required: true,
  dynamic: `${listChannels.key}.id.name`,
  altersDynamicFields: true,
});

/** Which channel a trigger or a search keeps to. */
export const channelFilter = defineInputField({
  key: 'channel',
  label: 'Channel',
  dynamic: `${listChannels.key}.id.name`,
  helpText: 'Leave empty for every channel.',
});
