import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { deliveryHeaders } from '../../../src/api/presets';
import { signatureHeaders } from '../../sandbox/webhooks/signature';
import { listen } from '../../zapier/listen';

const firstId = 9_007_199_254_740_993n;

/** The IDs of a service as numbers. */
class BigIds {
  readonly #all: string[] = [];

  #numberOf(id: string): string {
    return String(firstId + BigInt(this.#all.indexOf(id)));
  }

  /** Returns JSON with a number for each ID. A list of IDs keeps texts, as the request had them. */
  write(json: string): string {
    const numbered = json.replace(/("(?:id|\w+_id)":)"((?!req_)[a-z]+_\w+)"/g, (_, key: string, id: string) => {
      if (!this.#all.includes(id)) this.#all.push(id);
      return key + this.#numberOf(id);
    });
    return numbered.replace(/"([a-z]+_\w+)"(?!:)/g, (known, id: string) =>
      this.#all.includes(id) ? `"${this.#numberOf(id)}"` : known,
    );
  }

  /** Returns a path, a query or JSON with the IDs of the service. */
  read(sent: string): string {
    return sent.replace(/\b9007199\d{9}\b/g, (number) => this.#all[Number(BigInt(number) - firstId)] ?? number);
  }
}

const created = z.looseObject({ url: z.string(), secret: z.string() });

/** Starts a service in front of the sandbox at `base`, whose IDs are numbers that JavaScript would round. */
export const startGateway = async (base: string) => {
  const ids = new BigIds();
  const secrets = new Map<string, string>();

  const deliver = async (url: string, content: string, id: string): Promise<void> => {
    const body = ids.write(content);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers = signatureHeaders({ id, timestamp, body }, [secrets.get(url) ?? '']);
    await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
  };

  const gateway = await listen(async (request, response) => {
    const content = await text(request);
    const { url: target = '', method = 'GET' } = request;
    const hooks = `${gateway.url}/to/`;
    if (target.startsWith('/to/')) {
      await deliver(decodeURIComponent(target.slice(4)), content, String(request.headers[deliveryHeaders.id]));
      return void response.end();
    }
    const sent = ids.read(content);
    const forwarded = ['authorization', 'content-type', 'idempotency-key'] as const;
    const got = await fetch(base + ids.read(target), {
      method,
      headers: forwarded.flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, String(value)]];
      }),
      ...(sent && {
        body: sent.replace(/"url":"(http[^"]+)"/, (_, url: string) => `"url":"${hooks}${encodeURIComponent(url)}"`),
      }),
    });
    const answered = (await got.text()).replaceAll(/http:[^"]+\/to\/([^"]+)/g, (_, url: string) =>
      decodeURIComponent(url),
    );
    const webhook = created.safeParse(answered && JSON.parse(answered)).data;
    if (webhook) secrets.set(webhook.url, webhook.secret);
    const headers = [...got.headers].filter(([name]) => name !== 'content-length');
    response.writeHead(got.status, Object.fromEntries(headers)).end(ids.write(answered));
  });
  return gateway;
};
