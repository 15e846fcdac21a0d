import type * as z from 'zod/mini';
import { fromWire } from '../src/api/wire';
import { parseOrRefuse, Refusal } from './refusal';

const readJson = (schema: z.ZodMiniType, text: string): unknown => {
  try {
    return fromWire(schema, JSON.parse(text));
  } catch {
    throw new Refusal('malformed_request', 'The body is not valid JSON, or is nested too deeply.');
  }
};

/** Parses a JSON body by its schema; 400 when it is no JSON, 422 and the fields when they are wrong. */
export const parseBody = <S extends z.ZodMiniType>(schema: S, text: string): z.output<S> =>
  parseOrRefuse(schema, readJson(schema, text));
