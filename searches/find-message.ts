import { endpoints } from '../src/api/endpoints';
import { type Message, message } from '../src/api/resources';
import { readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { find } from '../src/http/client';
import { defineInputFields, defineSearch, type SearchPerform } from '../src/platform';

const inputFields = defineInputFields([
  {
    key: 'message',
    label: 'Message',
    required: true,
    helpText: 'Map the ID of a message from an earlier step, such as Send Template Message.',
  },
]);

const perform = (async (z, bundle) => {
  const { message: id } = readInput(inputFields, bundle.inputData);
  const found = await find(z, endpoints.getMessage, { id });
  return found ? [found] : [];
}) satisfies SearchPerform<typeof inputFields, Message>;

export default defineSearch({
  key: 'find_message',
  noun: 'Message',
  display: {
    label: 'Find Message',
    description: 'Finds a message with its present status, such as delivered or read.',
  },
  operation: { inputFields, perform, ...output(message) },
});
