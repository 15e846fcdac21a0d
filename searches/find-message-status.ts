import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { withFiles } from '../src/forms/attachment-files';
import { readInput } from '../src/forms/input';
import { outputs } from '../src/forms/output';
import { messageField } from '../src/forms/reference-fields';
import { lookUp } from '../src/http/client';
import { type ReachableMessage, withReachability } from '../src/messages/same-person';
import { withText } from '../src/messages/text';

const inputFields = defineInputFields([
  {
    ...messageField,
    helpText: 'Choose a recent message, or map its ID from an earlier step, such as Send Template Message.',
  },
]);

const perform = (async (z, bundle) => {
  const { message: id } = readInput(inputFields, bundle.inputData);
  const found = await lookUp(z, endpoints.getMessage, { id });
  return found ? [withFiles(z, withReachability(withText(found)))] : [];
}) satisfies SearchPerform<typeof inputFields, ReachableMessage>;

export default defineSearch({
  key: 'find_message_status',
  noun: 'Message',
  display: {
    label: 'Find Message Status',
    description: 'Finds a message and its current status, such as delivered or read.',
  },
  operation: { inputFields, perform, ...outputs.Message },
});
