/** A request of the page that can't be carried out. The message is a sentence for a person. */
export class Refused extends Error {
  /** 400 for one that the page doesn't make. */
  readonly status: 400 | 422;

  constructor(sentence: string, status: 400 | 422 = 422) {
    super(sentence);
    this.status = status;
  }
}
