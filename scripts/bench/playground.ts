import '../../lab/zapier/core/quiet-core';
import { startPlayground } from '../../lab/playground/playground';

const rounds = 31;

const get = async (url: string): Promise<string> => (await fetch(url)).text();

/** Milliseconds until the document and everything that it loads have arrived. */
const measurePage = async (url: string): Promise<number> => {
  const startedAt = performance.now();
  const assets = (await get(url)).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g);
  await Promise.all([...assets].map(([, path]) => get(url + path)));
  return performance.now() - startedAt;
};

/** Milliseconds from when a customer writes until a page that follows `changes` has the message. */
const measureEvent = async (url: string, changes: AsyncIterator<unknown>, text: string): Promise<number> => {
  const startedAt = performance.now();
  const written = fetch(`${url}/phones`, { method: 'POST', body: new URLSearchParams({ from: '+12025550105', text }) });
  do await changes.next();
  while (!(await get(`${url}/phones`)).includes(text));
  const taken = performance.now() - startedAt;
  await (await written).text();
  return taken;
};

/** Measures how quickly the playground shows its page and what happens, in ms. */
export const measurePlayground = async (): Promise<{ page: number; events: number[] }> => {
  const { url, stop } = await startPlayground({ port: 0, database: ':memory:' });
  try {
    const page = await measurePage(url);
    const { body } = await fetch(`${url}/live`);
    if (!body) throw new Error('The playground sent no events.');
    const changes = body[Symbol.asyncIterator]();
    const events: number[] = [];
    for (let round = 0; round < rounds; round++) events.push(await measureEvent(url, changes, `Event ${round}.`));
    await changes.return?.();
    return { page, events };
  } finally {
    await stop();
  }
};
