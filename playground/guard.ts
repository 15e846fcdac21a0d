import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { isLoopback } from '../sandbox/loopback';

/** Refuses other hosts and other origins, which reach this machine by DNS rebinding or from a web page. */
export const requireOwnPage: MiddlewareHandler = async (c, next) => {
  const { url } = c.req;
  const origin = c.req.header('origin');
  const isOwnHost = URL.canParse(url) && isLoopback(new URL(url).hostname);
  if (!isOwnHost || (origin !== undefined && origin !== new URL(url).origin)) {
    return c.text('The playground serves this machine only.', 403);
  }
  return next();
};

/** Lets the page load nothing from other hosts and run no inline script. Pico's icons are `data:` images. */
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
