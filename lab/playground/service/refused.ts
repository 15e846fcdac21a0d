/** A form that shows an earlier version of a step than the one that another tab saved. */
export class StepChanged extends Error {
  readonly version: string;
  readonly other: { version: string; zap: string; index: number };

  constructor(version: string, other: StepChanged['other']) {
    super('Another tab changed this step.');
    this.version = version;
    this.other = other;
  }
}

/** A request of the page that can't be carried out. The message is a sentence for a person. */
export class Refused extends Error {
  /** 400 for one that the page doesn't make. */
  readonly status: 400 | 422;

  constructor(sentence: string, status: 400 | 422 = 422) {
    super(sentence);
    this.status = status;
  }
}
