import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context, MiddlewareHandler } from 'hono';

const modules = join(__dirname, '../../../node_modules');
const css = 'text/css; charset=utf-8';
const js = 'text/javascript; charset=utf-8';

const page = join(__dirname, '../page');

/** Every style sheet of the page, one for each place. The one for narrow screens overrules the others. */
const styles = [
  'tokens',
  'base',
  'controls',
  'apps',
  'layout',
  'bar',
  'canvas',
  'windows',
  'panel',
  'fields',
  'results',
  'phone',
  'message',
  'story',
  'guide',
  'sheet',
  'narrow',
].map((name) => join(page, 'styles', `${name}.css`));

const files: Record<string, { paths: string[]; type: string }> = {
  'style.css': { paths: styles, type: css },
  'htmx.js': { paths: [join(modules, 'htmx.org/dist/htmx.min.js')], type: js },
  'logo.svg': { paths: [join(__dirname, '../../../docs/logo.svg')], type: 'image/svg+xml' },
  'sse.js': { paths: [join(modules, 'htmx.org/dist/ext/hx-sse.min.js')], type: js },
};

const font = join(modules, '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');

/** Bundles the scripts of the page, with what they import. Loads esbuild on first use. */
const bundle = async (): Promise<string> => {
  const { build } = await import('esbuild');
  const entryPoints = [join(page, 'scripts/main.js')];
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, format: 'iife', write: false });
  return outputFiles[0]?.text ?? '';
};

let pageScript: Promise<string> | undefined;

/** The scripts of the page. Whoever asks first has them bundled, which takes as long as to render the page. */
const readScript = (): Promise<string> => {
  pageScript ??= bundle();
  return pageScript;
};

/** Begins to bundle the scripts while the page is rendered that will ask for them. */
export const prepareScript: MiddlewareHandler = (_, next) => {
  readScript().catch(() => undefined);
  return next();
};

const serveScript = async (c: Context): Promise<Response> =>
  c.body(await readScript(), 200, { 'content-type': js, 'cache-control': 'no-cache' });

/** Responds with a style sheet, a script, the logo or the font of the page. */
export const serveAsset = (c: Context): Response | Promise<Response> => {
  const name = c.req.param('name') ?? '';
  if (name === 'page.js') return serveScript(c);
  if (name === 'inter.woff2') {
    return c.body(readFileSync(font), 200, { 'content-type': 'font/woff2', 'cache-control': 'max-age=604800' });
  }
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) return c.notFound();
  return c.body(file.paths.map((path) => readFileSync(path, 'utf8')).join('\n'), 200, {
    'content-type': file.type,
    'cache-control': 'no-cache',
  });
};
