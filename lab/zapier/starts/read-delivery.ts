import type { IncomingMessage } from 'node:http';
import { platform } from '../platform';

/** The headers with the names that Zapier passes to an app: `webhook-id` becomes `Http-Webhook-Id`. */
export const toZapierHeaders = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const camel = name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
      return [/^content-(type|length)$/i.test(name) ? camel : `Http-${camel}`, String(value)];
    }),
  );

/** The body of a request as text, or undefined when it's longer than Zapier takes, however it's sent. */
export const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > platform.deliveryBytes.is) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** The request as Zapier passes it to the `perform` of an instant trigger. */
export const toDelivery = (request: IncomingMessage, content: string) => {
  const headers = toZapierHeaders(request.headers);
  return {
    rawRequest: { method: 'POST' as const, querystring: request.url?.split('?')[1] ?? '', headers, content },
    cleanedRequest: parseJson(content),
  };
};
