/** The service can't be checked. The message tells the person who ran the command why. */
export class Stopped extends Error {}
