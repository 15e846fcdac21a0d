import * as z from 'zod/mini';
import { type EndpointName, endpoints } from '../src/api/endpoints';
import { toWire } from '../src/api/wire';
import { exact } from './exact';

const isEndpointName = (name: string): name is EndpointName => Object.hasOwn(endpoints, name);

/** The names of the endpoint table. */
export const endpointNames = Object.keys(endpoints).filter(isEndpointName);

const schemas = new Map<EndpointName, z.core.$ZodType>(
  endpointNames.map((name) => [name, exact(endpoints[name].answer)]),
);

/** The answer of the endpoint as JSON; throws when it is not exactly what the contract says. */
export const writeAnswer = (name: EndpointName, answer: unknown): string =>
  JSON.stringify(toWire(endpoints[name].answer, z.parse(schemas.get(name) ?? z.never(), answer))) ?? '';
