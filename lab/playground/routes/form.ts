import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod/mini';
import { Refused } from '../service/refused';

const maxLength = 200_000;
const text = z.string().check(z.maxLength(maxLength));
const posted = z.record(z.string().check(z.maxLength(300)), z.union([text, z.array(text)]));

/** What a form posts, by name. */
export type Posted = z.output<typeof posted>;

const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

const notAForm = () => new Refused('This form is out of date, so nothing was saved. Reload the page.', 400);

/** Refuses what posts something else than a form, or one that breaks off. */
export const requireForm: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'POST') return next();
  const isForm = formTypes.test(c.req.header('content-type') ?? '');
  const body = await (isForm ? c.req.parseBody({ all: true }).catch(() => undefined) : c.req.text());
  if (isForm ? body === undefined : body !== '') throw notAForm();
  return next();
};

/** Reads what a form posts. Throws `Refused` when it holds a file or a very long text. */
export const readForm = async (c: Context): Promise<Posted> => {
  const { data, error } = posted.safeParse(await c.req.parseBody({ all: true }));
  if (data) return data;
  if (error.issues.some(({ code }) => code === 'invalid_union')) throw notAForm();
  const field = error.issues[0]?.path[0] === 'f.json' ? 'The JSON' : 'A field';
  throw new Refused(`${field} has more than 200,000 characters, so nothing was saved. Shorten it and try again.`);
};

/** Parses a whole number from 0 to `max` of a form or an address. Returns undefined when it isn't one. */
export const readWholeNumber = (value: unknown, max: number): number | undefined => {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  return z.coerce.number().check(z.int(), z.minimum(0), z.maximum(max)).safeParse(value).data;
};

/** Every text that the form posts under a name. */
export const readAll = (body: Posted, name: string): string[] => [body[name] ?? []].flat();

/** The last text that the form posts under a name, or undefined. */
export const readOne = (body: Posted, name: string): string | undefined => readAll(body, name).at(-1);
