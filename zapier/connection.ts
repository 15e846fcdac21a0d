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
