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
    list: (z, page) => call(z, endpoints.listChannels, { query: page }),
    toChoice: ({ key, name }) => ({ id: key, name: name ?? key }),
    sample: channel.sample,
  }),
});
