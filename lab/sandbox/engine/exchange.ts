/** A request that the sandbox received, or a webhook delivery that it sent. */
export interface Exchange {
  kind: 'request' | 'webhook';
  method: string;
  /** The path of a request, or the address of a webhook without its query. */
  target: string;
  /** The status of the response; null when there was none. */
  status: number | null;
  /** Whole milliseconds until the response. */
  ms: number;
}

/** Called after each exchange. */
export type OnExchange = (exchange: Exchange) => void;
