/** A request of the page that can't be carried out. The message is a sentence for a person. */
export class Refused extends Error {}
