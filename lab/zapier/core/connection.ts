/** The account that Zaps are connected to. */
export interface Connection {
  readonly authData: Record<string, string>;
  /** Which account it is. What a poll finds in another one is no news. */
  readonly account: string;
  /** Whether Zapier knows that somebody has to connect the account again. It then holds runs instead of running them. */
  readonly holdsRuns: boolean;
  /** Notes that the service refused the account. */
  refuse(): void;
}

/** One account, until the service refuses it. */
export class Account implements Connection {
  readonly account = 'only';
  authData: Record<string, string>;
  holdsRuns = false;

  constructor(authData: Record<string, string>) {
    this.authData = authData;
  }

  refuse(): void {
    this.holdsRuns = true;
  }

  /** Connects the account again. */
  reconnect(authData: Record<string, string>): void {
    this.authData = authData;
    this.holdsRuns = false;
  }
}
