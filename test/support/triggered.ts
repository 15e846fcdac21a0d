import { message } from '../../src/api/resources';
import { summaryLine } from '../../src/text/lines';

/** Returns a record as steps give it, if its customer has a phone number. */
export const reachable = <R extends object>(record: R) => ({ ...record, has_phone_number: true });

/** Returns what an instant trigger gives for a record of the service whose customer, if it has one, has a number. */
export const triggered = <R extends object>(record: R) => {
  if ('stats' in record) return record;
  const isMessage = 'text' in record;
  return {
    ...reachable(record),
    ...(isMessage && { summary_line: summaryLine(message.schema.parse(record), undefined) }),
  };
};
