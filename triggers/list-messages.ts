import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { message } from '../src/api/resources';
import { call } from '../src/http/client';
import { toLine } from '../src/messages/text';
import { toOrFrom } from '../src/messages/transcript';
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
    toChoice: (each) => ({ id: each.id, name: `${toOrFrom(each)}: ${shorten(toLine(each))}` }),
    sample: message.sample,
  }),
});
