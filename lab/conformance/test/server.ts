import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../zapier/listen';

/** Starts a server on a free loopback port, passes its address to `use`, and stops it whatever happens. */
export const withServer = async <T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> => {
  const server = await listen(listener);
  try {
    return await use(server.url);
  } finally {
    await server.stop();
  }
};

/** What an API responds. */
export interface Answer {
  status: number;
  body?: unknown;
}

type Respond = (method: string, url: URL, body: Record<string, unknown>) => Answer;

/** Returns the listener of an API that takes JSON and returns it, and gives `refused` to a request that isn't signed in. */
export const jsonApi =
  (isSignedIn: (headers: IncomingHttpHeaders) => boolean, refused: Answer, respond: Respond): RequestListener =>
  async (request, response) => {
    const { method = '', url = '', headers } = request;
    const content = await text(request);
    const { status, body } = isSignedIn(headers)
      ? respond(method, new URL(url, 'http://localhost'), content ? JSON.parse(content) : {})
      : refused;
    const json = body === undefined ? '' : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(json);
  };
