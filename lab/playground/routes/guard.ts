import type { HonoRequest, MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { isForThisMachine, isFromOtherOrigin } from '../../sandbox/http/origin';

/** Whether the browser opens the address in a tab, such as from a link. The page that has the link can't read it. */
const isOpenedInTab = (request: HonoRequest): boolean =>
  request.method === 'GET' && request.header('sec-fetch-dest') === 'document' && request.header('origin') === undefined;

/** Refuses other hosts and other origins, which reach this machine by DNS rebinding or from a web page. */
export const requireOwnPage: MiddlewareHandler = async (c, next) => {
  if (isForThisMachine(c.req) && (isOpenedInTab(c.req) || !isFromOtherOrigin(c.req))) return next();
  return c.text(
    'The playground accepts requests only from its own page on this computer. Open its address in your browser.',
    403,
  );
};

/** Lets the page load nothing from other hosts and run no inline script. Photos are `data:` images. */
export const protect = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
  },
  strictTransportSecurity: false,
});
