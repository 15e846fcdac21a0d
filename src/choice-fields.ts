import { defineInputField } from 'zapier-platform-core';
import listCampaigns from '../triggers/list-campaigns';
import listChannels from '../triggers/list-channels';

/** Which channel a trigger listens to. */
export const channelFilter = defineInputField({
  key: 'channel',
  label: 'Channel',
  dynamic: `${listChannels.key}.id.name`,
  helpText: 'Leave empty to listen on every channel.',
});

/** Which campaign a trigger listens to. */
export const campaignFilter = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  dynamic: `${listCampaigns.key}.id.name`,
  helpText: 'Leave empty to listen to every campaign.',
});
