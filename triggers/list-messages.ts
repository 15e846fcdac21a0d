import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { nameOfPerson } from '../src/formats/transcript';
import { call } from '../src/http/client';
import { dropdown } from '../src/polling/dropdown';

/** The length of a text in the dropdown. */
const maxTextLength = 60;

export default defineTrigger({
  key: 'list_messages',
  noun: 'Message',
  display: {
    label: 'List Messages',
    description: 'Triggers when someone opens a message dropdown.',
    hidden: true,
  },
  operation: dropdown({
    inputFields: [],
    list: (z, page) => call(z, endpoints.listMessages, { query: page }),
    toChoice: ({ id, contact, to, text }) => ({
      id,
      name: [nameOfPerson(contact) ?? to, text?.slice(0, maxTextLength)].filter(Boolean).join(': ') || id,
    }),
    sample: { id: 'msg_9Vb4Xs', name: 'Noor Visser +31612345678: Your parcel PX-20418 arrives today at about 14:30.' },
  }),
});
