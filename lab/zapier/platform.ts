/** What Zapier does, in one table. */

/** A fact about Zapier, and where it's from. */
interface Fact<T> {
  is: T;
  source: string;
}

const fact = <const T>(is: T, source: string): Fact<T> => ({ is, source });

const constraints = 'https://docs.zapier.com/integrations/build/operating-constraints';
const timeouts = 'https://docs.zapier.com/platform/build/troubleshoot-action-timeouts';
const lineItems = 'https://help.zapier.com/hc/en-us/articles/8496275165709-Create-line-items-in-Zaps';
const schema = 'https://github.com/zapier/zapier-platform/blob/main/packages/schema/docs/build/schema.md';
const hooks = 'https://docs.zapier.com/integrations/build/cli-hook-trigger';
const core = 'https://docs.zapier.com/integrations/build-cli/core';
const responseTypes = 'https://docs.zapier.com/platform/build/response-types';
const delays = 'https://help.zapier.com/hc/en-us/articles/8496288754829-Add-delays-to-Zaps';

const loops = 'https://help.zapier.com/hc/en-us/articles/8496106701453-Loop-your-Zap-actions';
const filters = 'https://help.zapier.com/hc/en-us/articles/8496014252301-Filters-Types';

const day = 24 * 60 * 60;

/** What Zapier documents, or what its editor and its Zap history show. */
export const platform = {
  /** How long a method of the app may take, in seconds. */
  stepSeconds: fact(30, constraints),
  /** What people read when it takes longer. */
  timeout: fact('The app did not respond in-time. It may or may not have completed successfully.', timeouts),
  /** The largest delivery, in bytes. */
  deliveryBytes: fact(10 * 1024 * 1024, constraints),
  /** The status that a delivery for a Zap that is off gets. */
  offStatus: fact(410, hooks),
  /** How many records make Zapier ask for another page of a dropdown. */
  dropdownPage: fact(100, constraints),
  /** The output of every search that says whether it found something. */
  searchFound: fact('_zap_search_was_found_status', 'Zap history'),
  /** How the values of line items stand in a text. */
  lineItemSeparator: fact(',', lineItems),
  /** What an operation that sets no scope is limited by. A lock without a scope is the whole app's. */
  throttleScope: fact(['account', 'action'], `${schema}#throttleobjectschema`),
  /** The longest delay of Delay by Zapier, in seconds. */
  delaySeconds: fact(31 * day, delays),
  /** How long a step waits for its callback, in seconds. */
  callbackSeconds: fact(30 * day, core),
  /** The longest that an instant trigger which is throttled may wait, in seconds. */
  hookThrottleSeconds: fact(300, constraints),
  /** How long a throttled step waits whose error names no delay, and a step whose lock another run has, in seconds. */
  throttleSeconds: fact(30, 'nobody documents it'),
  /**
   * Which results of a search later steps get, and what happens when there are none: the first choice is the default. The
   * page has said two things about results: only the first is returned (older copies), and "don't limit to a single result",
   * since the first is used by default only (newer ones). An app that returns all of them, best first, is right by both.
   */
  searchResults: fact(['first', 'all'], `${responseTypes} and the Zap editor`),
  whenNothingIsFound: fact(['stop', 'continue'], 'the Zap editor'),
  /** The conditions of filters and paths for which capital letters don't matter. */
  ignoreCase: fact(['(Text) Contains', '(Text) Does not contain'], filters),
  /** How many items a loop has at most. */
  loopIterations: fact(500, loops),
  /** How often a trigger without a webhook is polled, in seconds. Zapier takes 60 to 900, by the plan of the account. */
  pollSeconds: fact(2, "the stand-in, which doesn't let people wait"),
  /** How many characters of an error people see. */
  messageLength: fact(250, 'Zap history'),
} as const;
