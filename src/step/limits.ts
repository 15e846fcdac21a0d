/**
 * What Zapier itself holds back: too many messages to one person, and two runs at once. It compares the text of a field as it
 * is, so two ways to write a number or an address count as two people. A limit and a lock belong to one account of the app.
 */

/**
 * The limit of the actions that send: twenty messages to one number in ten minutes. A shop's alerts to its owner stay
 * below it on a busy day, and a loop doesn't. Zapier delays runs over the limit. All actions with these values share one
 * count. Campaigns to a saved audience have no number, so they count as one person. Help texts and documents name these
 * figures.
 */
export const sendingLimit = {
  window: 600,
  limit: 20,
  key: 'recipient-{{bundle.inputData.to}}',
  scope: ['auth' as const],
};

/** The time after which a lock opens by itself, in seconds: twice as long as a step can take. */
const timeout = 60;

/** Returns the lock under which runs with the same text in these fields go one after the other. */
export const lockOn = (name: string, ...fields: string[]) => ({
  key: [name, ...fields.map((field) => `{{bundle.inputData.${field}}}`)].join('-'),
  scope: ['auth' as const],
  timeout,
});
