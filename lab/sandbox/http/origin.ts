import type { HonoRequest } from 'hono';
import { isLoopback } from '../../../src/api/addresses';

/** Whether a request names this machine as its host. A page can lead any other name here (DNS rebinding). */
export const isForThisMachine = ({ url }: HonoRequest): boolean =>
  URL.canParse(url) && isLoopback(new URL(url).hostname);

/** Whether a browser sends the request from another origin. A program sends neither header. */
export const isFromOtherOrigin = (request: HonoRequest): boolean => {
  const own = new URL(request.url).origin;
  const { origin = own, 'sec-fetch-site': site = 'none' } = request.header();
  return origin !== own || !['same-origin', 'none'].includes(site);
};
