/** A request to /v1/. */
interface LoggedRequest {
  request_id: string;
  received_at: string;
  method: string;
  path: string;
  query: Record<string, string>;
  /** By lower-case name. The token is masked except for its last four characters. */
  headers: Record<string, string>;
  /** Parsed JSON, or the text when it isn't JSON or has very many brackets, or null when there is none. */
  body: unknown;
  /** The status of the response, or null before there is one. */
  status: number | null;
}

const maxRequests = 1000;
const maxBodyLength = 10_000;

/** Nesting of this depth is far from what exhausts the stack when the log is read. */
const maxBrackets = 1000;

const mask = (authorization: string): string => {
  const start = authorization.lastIndexOf(' ') + 1;
  const token = authorization.slice(start);
  return `${authorization.slice(0, start)}***${token.length > 4 ? token.slice(-4) : ''}`;
};

const parseBody = (text: string): unknown => {
  if (text === '') return null;
  if (text.length > maxBodyLength) return `${text.slice(0, maxBodyLength)}…`;
  if (text.split(/[[{]/).length > maxBrackets) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The last 1,000 requests to /v1/. */
export class RequestLog {
  #requests: LoggedRequest[] = [];

  /** Adds a request. The caller sets `status` when there is a response. */
  add({ body, headers, ...request }: Omit<LoggedRequest, 'status' | 'body'> & { body: string }): LoggedRequest {
    const { authorization, ...others } = headers;
    const entry: LoggedRequest = {
      ...request,
      headers: { ...others, ...(authorization !== undefined && { authorization: mask(authorization) }) },
      body: parseBody(body),
      status: null,
    };
    this.#requests.push(entry);
    if (this.#requests.length > maxRequests) this.#requests.shift();
    return entry;
  }

  /** Returns all requests, oldest first. */
  list(): readonly LoggedRequest[] {
    return this.#requests;
  }

  clear(): void {
    this.#requests = [];
  }
}
