/**
 * Whether this process talks to the sandbox, which speaks the contract itself, so that nothing in `service.ts` applies. The
 * commands that start the sandbox say so in `CONTRACT`, and so do the tests. Zapier doesn't.
 */
export const isSandboxed = (): boolean => Boolean(process.env.CONTRACT);

/** Whether every part of the contract counts, because the tests also run the steps that a service lacks. */
export const isWhole = (): boolean => process.env.CONTRACT === 'whole';
