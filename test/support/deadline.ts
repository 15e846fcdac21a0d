/**
 * How long a test waits for one thing, in ms. A busy machine makes tests slow, and never red: nothing in the tests ends
 * earlier. A property and a test have longer, so that the message is about what was waited for.
 */
export const deadlineMs = 120_000;
