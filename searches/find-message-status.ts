import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { type Message, message } from '../src/api/resources';
import { call } from '../src/call/call';
import { reachableRecords, withReachability } from '../src/contact/person';
import { withFiles } from '../src/message/files';
import { messageField } from '../src/step/dropdowns';
import { readInput } from '../src/step/input';
import { output } from '../src/step/output';
import { withText } from '../src/text/lines';

const inputFields = defineInputFields([
  {
    ...messageField,
    helpText: 'Choose a recent message, or map Message ID from an earlier step.',
  },
]);

const result = zod.looseObject({ ...reachableRecords.message.schema.shape, has_arrived: zod.boolean() });
type Result = zod.output<typeof result>;

/** Whether a message is on the phone. One that was read at once has no time of its delivery. */
const hasArrived = ({ status, delivered_at, read_at }: Message): boolean =>
  Boolean(delivered_at ?? read_at) || ['received', 'delivered', 'read'].includes(status ?? '');

const withArrival = (found: Message): Result => ({ ...withReachability(found), has_arrived: hasArrived(found) });

const perform = (async (z, bundle) => {
  const { message: id } = readInput(inputFields, bundle.inputData);
  const found = await call(z, endpoints.getMessage, { id }, { unless: 'gone' });
  return found ? [withFiles(z, withArrival(withText(found)))] : [];
}) satisfies SearchPerform<typeof inputFields, Result>;

export default defineSearch({
  key: 'find_message_status',
  noun: 'Message',
  display: {
    label: 'Find Message Status',
    description: 'Finds a message and its current status: sent, delivered, read or failed.',
  },
  operation: {
    inputFields,
    perform,
    ...output({ record: message, schema: result, sample: withArrival(message.sample) }),
  },
});
