import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import type { ApiRequest } from './result';

const started = z.object({ request: z.custom<ClientRequest>((value) => typeof value === 'object') });
const finished = z.extend(started, { response: z.custom<IncomingMessage>((value) => typeof value === 'object') });

/** What to record of the requests of a step. */
interface RecordSettings {
  /** The address of Zapier, whose requests aren't the app's. */
  zapier: string;
  /** The headers to keep of a request and its response, in lower case. */
  headers: readonly string[];
}

interface Recording extends RecordSettings {
  requests: ApiRequest[];
  pending: Map<ClientRequest, { entry: ApiRequest; startedAt: number }>;
}

const recordings = new AsyncLocalStorage<Recording>();

/** The headers with these names. A value is a list when the client of the request gave one. */
const keep = (names: readonly string[], read: (name: string) => unknown): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = read(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );

// Node reports every request in the context of the code that made it, so each step sees its own requests alone.
diagnostics.subscribe('http.client.request.start', (event) => {
  const recording = recordings.getStore();
  if (!recording) return;
  const { request } = started.parse(event);
  if (String(request.getHeader('host')) === new URL(recording.zapier).host) return;
  const entry: ApiRequest = {
    method: request.method,
    path: request.path,
    headers: keep(recording.headers, (name) => request.getHeader(name)),
    status: undefined,
    durationMs: undefined,
  };
  recording.requests.push(entry);
  recording.pending.set(request, { entry, startedAt: performance.now() });
});

diagnostics.subscribe('http.client.response.finish', (event) => {
  const recording = recordings.getStore();
  if (!recording) return;
  const { request, response } = finished.parse(event);
  const known = recording.pending.get(request);
  if (!known) return;
  known.entry.status = response.statusCode;
  known.entry.durationMs = Math.round(performance.now() - known.startedAt);
  Object.assign(
    known.entry.headers,
    keep(recording.headers, (name) => response.headers[name]),
  );
});

/** Runs the work, and adds each API request that it makes to `requests`. */
export const recordRequests = <T>(
  requests: ApiRequest[],
  settings: RecordSettings,
  work: () => Promise<T>,
): Promise<T> => recordings.run({ ...settings, requests, pending: new Map() }, work);
