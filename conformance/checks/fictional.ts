import { randomInt, randomUUID } from 'node:crypto';

/** An id, name, word and token that no service knows. */
export const unknownId = `conformance-check-${randomUUID()}`;

/** A phone number that belongs to nobody: Ofcom reserves this range for fiction. */
export const fictionalPhone = (): string => `+447700900${String(randomInt(1000)).padStart(3, '0')}`;
