import * as z from 'zod/mini';
import { type EndpointName, endpoints } from '../../src/api/endpoints';
import { toWire } from '../../src/api/wire';
import { strict } from '../strict';

const isEndpointName = (name: string): name is EndpointName => Object.hasOwn(endpoints, name);

/** The names of all endpoints. */
export const endpointNames = Object.keys(endpoints).filter(isEndpointName);

const schemas = new Map(endpointNames.map((name) => [name, strict(endpoints[name].answer)]));

/** The response body of the endpoint as JSON. Throws when the value has a missing or an undeclared field. */
export const encodeResponse = (name: EndpointName, value: unknown): string =>
  JSON.stringify(toWire(endpoints[name].answer, z.parse(schemas.get(name) ?? z.never(), value))) ?? '';
