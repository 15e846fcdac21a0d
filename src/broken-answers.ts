import { subscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, OutgoingMessage } from 'node:http';

const report = (request: OutgoingMessage) => (response: IncomingMessage) =>
  response.once('close', () => {
    // An error that nobody waits for would end the process.
    if (!response.complete && request.listenerCount('error') > 0)
      request.emit('error', new Error('The answer broke off.'));
  });

/**
 * Makes an answer that breaks off end its request with an error. The fetch inside z.request (node-fetch 2) waits for
 * the rest of one with a Content-Length until the step's time is over.
 */
export const noticeBrokenAnswers = (): void =>
  subscribe('http.client.request.start', (message) => {
    if (typeof message !== 'object' || message === null || !('request' in message)) return;
    const { request } = message;
    if (request instanceof OutgoingMessage) request.once('response', report(request));
  });
