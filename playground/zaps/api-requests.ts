import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { headers, pathPrefix } from '../../src/api/endpoints';
import type { ApiRequest } from './run';

const started = z.object({ request: z.custom<ClientRequest>((value) => typeof value === 'object') });
const finished = z.extend(started, { response: z.custom<IncomingMessage>((value) => typeof value === 'object') });

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

interface Recording {
  requests: ApiRequest[];
  pending: Map<ClientRequest, { entry: ApiRequest; startedAt: number }>;
}

const recordings = new AsyncLocalStorage<Recording>();

// Node reports every request in the context of the code that made it, so each step sees its own requests alone.
diagnostics.subscribe('http.client.request.start', (event) => {
  const recording = recordings.getStore();
  const { request } = started.parse(event);
  if (!recording || !request.path.startsWith(`${pathPrefix}/`)) return;
  const entry: ApiRequest = {
    method: request.method,
    path: request.path,
    idempotencyKey: text(request.getHeader(headers.idempotencyKey)),
    status: undefined,
    durationMs: undefined,
    requestId: undefined,
  };
  recording.requests.push(entry);
  recording.pending.set(request, { entry, startedAt: performance.now() });
});

diagnostics.subscribe('http.client.response.finish', (event) => {
  const { request, response } = finished.parse(event);
  const known = recordings.getStore()?.pending.get(request);
  if (!known) return;
  known.entry.status = response.statusCode;
  known.entry.durationMs = Math.round(performance.now() - known.startedAt);
  known.entry.requestId = text(response.headers[headers.requestId]);
});

/** Runs the work, and adds each API request that it makes to `requests`. */
export const recordRequests = <T>(requests: ApiRequest[], work: () => Promise<T>): Promise<T> =>
  recordings.run({ requests, pending: new Map() }, work);
