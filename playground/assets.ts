import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'hono';
import { brand } from '../src/brand';

const modules = join(__dirname, '../node_modules');
const css = 'text/css; charset=utf-8';
const js = 'text/javascript; charset=utf-8';

const files: Record<string, { path: string; type: string }> = {
  'pico.css': { path: join(modules, '@picocss/pico/css/pico.min.css'), type: css },
  'style.css': { path: join(__dirname, 'page/style.css'), type: css },
  'htmx.js': { path: join(modules, 'htmx.org/dist/htmx.min.js'), type: js },
  'sse.js': { path: join(modules, 'htmx.org/dist/ext/hx-sse.min.js'), type: js },
  'page.js': { path: join(__dirname, 'page/page.js'), type: js },
};

/** Responds with a style sheet or a script of the page. */
export const serveAsset = (c: Context): Response | Promise<Response> => {
  const name = c.req.param('name') ?? '';
  if (name === 'brand.css') return c.body(`:root { --brand: ${brand.color}; }\n`, 200, { 'content-type': css });
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) return c.notFound();
  return c.body(readFileSync(file.path, 'utf8'), 200, { 'content-type': file.type, 'cache-control': 'no-cache' });
};
