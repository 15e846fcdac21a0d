import * as z from 'zod/mini';

const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** The moment of a date, or of a date and time with its zone. Undefined for other texts, which may mean two times. */
export const readMoment = (text: string): Date | undefined => {
  const { data } = moment.safeParse(text.trim().replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return data === undefined ? undefined : new Date(data);
};
