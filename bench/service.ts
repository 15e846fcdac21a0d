import { once } from 'node:events';
import { createServer } from 'node:http';
import * as z from 'zod/mini';
import { pageSize } from '../src/api/endpoints';
import { contact, conversation, message } from '../src/api/resources';

const samples: Record<string, object> = {
  contacts: contact.sample,
  conversations: conversation.sample,
  messages: message.sample,
};

/** A page of the list that a path ends in: so many rows, counted by the cursor. */
const page = ({ pathname, searchParams }: URL, rows: number): object => {
  const limit = Number(searchParams.get('limit') ?? pageSize.usual);
  const from = Number(searchParams.get('after') ?? 0);
  const to = Math.min(from + limit, rows);
  const sample = samples[pathname.slice(pathname.lastIndexOf('/') + 1)];
  const data = Array.from({ length: to - from }, (_, index) => ({ ...sample, id: `row_${from + index}` }));
  return { data, next_cursor: to < rows ? String(to) : null };
};

/** The least service, so that what is measured is the app: it sends whatever it is told to, and each list has as many rows as it was told. */
export interface LeastService {
  url: string;
  /** Says how many rows each list has from now on. */
  hold: (rows: number) => void;
  /** When the last request arrived, in milliseconds since 1970. */
  arrival: () => number;
  stop: () => void;
}

export const startService = async (): Promise<LeastService> => {
  let arrived = 0;
  let rows = 0;
  const server = createServer((request, response) => {
    arrived = performance.timeOrigin + performance.now();
    request.resume();
    const isSend = request.method === 'POST';
    const answer = isSend ? message.sample : page(new URL(request.url ?? '', 'http://localhost'), rows);
    response.writeHead(isSend ? 202 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const hold = (count: number): void => {
    rows = count;
  };
  return { url: `http://127.0.0.1:${port}`, hold, arrival: () => arrived, stop: () => server.close() };
};
