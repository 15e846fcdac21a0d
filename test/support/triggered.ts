/** Returns what an instant trigger gives for a record of the service whose customer, if it has one, has a number. */
export const triggered = <R extends object>(record: R) =>
  'stats' in record ? record : { ...record, has_phone_number: true };
