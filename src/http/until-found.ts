import { errors, type ZObject } from 'zapier-platform-core';
import { pauseBefore } from './deadline';

/**
 * Runs `read` until it finds something, since a new record may not be listed yet, and also after a rate limit. When the
 * step has no more time, it resolves to undefined, or rejects with the error of the rate limit.
 */
export const untilFound = async <T>(z: ZObject, read: () => Promise<T>): Promise<T> => {
  for (let retry = 0; ; retry += 1) {
    try {
      const found = await read();
      if (found !== undefined || !(await pauseBefore(z, retry))) return found;
    } catch (error) {
      if (!(error instanceof errors.ThrottledError) || !(await pauseBefore(z, retry))) throw error;
    }
  }
};
