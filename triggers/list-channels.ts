import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { channel } from '../src/api/resources';
import { call } from '../src/http/client';
import { dropdown } from '../src/polling/dropdown';

export default defineTrigger({
  key: 'list_channels',
  noun: 'Channel',
  display: {
    label: 'List Channels',
    description: 'Triggers when someone opens a channel dropdown.',
    hidden: true,
  },
  operation: dropdown({
    inputFields: [],
    list: (z) => call(z, endpoints.listChannels, {}),
    toChoice: ({ key, name }) => ({ id: key, name: name ?? key }),
    sample: { id: channel.sample.key, name: 'WhatsApp' },
  }),
});
