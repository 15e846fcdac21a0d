/** A request to /v1/ as it came in. */
interface LoggedRequest {
  request_id: string;
  received_at: string;
  method: string;
  path: string;
  query: Record<string, string>;
  /** By lower-case name; of the token only the last four characters are shown. */
  headers: Record<string, string>;
  /** Parsed when it is JSON, else the text; null when there is none. */
  body: unknown;
  /** What was answered; null while there is no answer. */
  status: number | null;
}

const most = 1000;
const longestBody = 10_000;

const mask = (authorization: string): string => {
  const start = authorization.lastIndexOf(' ') + 1;
  const token = authorization.slice(start);
  return `${authorization.slice(0, start)}***${token.length > 4 ? token.slice(-4) : ''}`;
};

const readBody = (text: string): unknown => {
  if (text === '') return null;
  if (text.length > longestBody) return `${text.slice(0, longestBody)}…`;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The last thousand requests to /v1/, so that people and tests see exactly what was sent. */
export class RequestLog {
  #requests: LoggedRequest[] = [];

  /** Notes a request; the caller fills in `status` once there is an answer. */
  add({ body, headers, ...request }: Omit<LoggedRequest, 'status' | 'body'> & { body: string }): LoggedRequest {
    const { authorization, ...others } = headers;
    const entry: LoggedRequest = {
      ...request,
      headers: { ...others, ...(authorization !== undefined && { authorization: mask(authorization) }) },
      body: readBody(body),
      status: null,
    };
    this.#requests.push(entry);
    if (this.#requests.length > most) this.#requests.shift();
    return entry;
  }

  /** All requests, oldest first. */
  list(): readonly LoggedRequest[] {
    return this.#requests;
  }

  clear(): void {
    this.#requests = [];
  }
}
