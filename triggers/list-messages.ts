import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { nameOfPerson } from '../src/formats/person-name';
import { call } from '../src/http/client';
import { dropdown } from '../src/polling/dropdown';

/** The length of a text in the dropdown. */
const maxTextLength = 60;

const shorten = (text: string): string => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text);

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
    toChoice: ({ id, direction, contact, from, to, text }) => {
      const isInbound = direction === 'inbound';
      const person = nameOfPerson(contact) ?? (isInbound ? from : to) ?? id;
      return { id, name: `${isInbound ? 'From' : 'To'} ${person}: ${shorten(text ?? '')}` };
    },
    sample: {
      id: 'msg_9Vb4Xs',
      name: 'To Noor Visser +12025550123: Your parcel PX-20418 arrives today at about 14:30.',
    },
  }),
});
