import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The headers with the names that Zapier passes to an app: `webhook-id` becomes `Http-Webhook-Id`. */
export const toZapierHeaders = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const camel = name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
      return [/^content-(type|length)$/i.test(name) ? camel : `Http-${camel}`, String(value)];
    }),
  );

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** The request as Zapier passes it to the `perform` of an instant trigger. */
export const receiveDelivery = async (request: IncomingMessage) => {
  const content = (await buffer(request)).toString();
  const headers = toZapierHeaders(request.headers);
  return {
    rawRequest: { method: 'POST' as const, querystring: request.url?.split('?')[1] ?? '', headers, content },
    cleanedRequest: parseJson(content),
  };
};
