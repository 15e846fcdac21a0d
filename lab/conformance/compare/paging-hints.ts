import { declares } from '../../../src/api/decode';
import { fieldsOf } from '../../../src/api/object';
import type { ServiceResponse } from '../service-client';

const isAboutPages = (name: string): boolean => /next|cursor|page|total|offset|count|more|^link$/i.test(name);

const maxShown = 6;

const show = (value: unknown): string => {
  if (typeof value === 'string') return `"${value.slice(0, 60)}"`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
};

const inBody = (body: unknown, path = ''): string[] => {
  if (Array.isArray(body) && path === '') return ['a list as the body'];
  return Object.entries(fieldsOf(body)).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [`the list \`${path}${name}\``];
    const inside = path === '' ? inBody(value, `${name}.`) : [];
    return isAboutPages(name) && inside.length === 0 ? [`\`${path}${name}\`: ${show(value)}`] : inside;
  });
};

/**
 * Returns the lists, counts and headers that came with a list whose records or next page are missing, without what the
 * contract declares; empty without any.
 */
export const pagingHints = ({
  endpoint,
  body,
  headers,
}: Pick<ServiceResponse, 'endpoint' | 'body' | 'headers'>): string => {
  const others = Array.isArray(body)
    ? body
    : Object.fromEntries(Object.entries(fieldsOf(body)).filter(([name]) => !declares(endpoint.response, name)));
  const given = [...headers]
    .filter(([name]) => isAboutPages(name))
    .map(([name, value]) => `the header \`${name}\`: ${show(value)}`);
  const all = [...inBody(others), ...given].slice(0, maxShown);
  return all.length > 0 ? `; with it came ${all.join(', ')}` : '';
};
