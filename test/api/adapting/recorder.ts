import { buffer } from 'node:stream/consumers';
import { listen } from '../../../zapier/listen';

/** A response as it travelled. */
interface Recorded {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Starts a proxy in front of a service that keeps every response. */
export const startRecorder = async (base: string) => {
  const responses: Recorded[] = [];
  const server = await listen(async (request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const { host: _, connection: __, 'content-length': ___, ...others } = headers;
    const content = await buffer(request);
    const sent = { method, headers: new Headers(Object.entries(others).map(([name, value]) => [name, String(value)])) };
    const got = await fetch(base + url, content.length > 0 ? { ...sent, body: content } : sent);
    const body = await got.text();
    const { 'content-length': ____, ...given } = Object.fromEntries(got.headers);
    responses.push({ status: got.status, headers: given, body });
    response.writeHead(got.status, given).end(body);
  });
  return { ...server, responses };
};
