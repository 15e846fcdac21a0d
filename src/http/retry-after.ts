/** The maximum delay that the app passes on to Zapier, in seconds. */
const maxRetryAfter = 60 * 60;

const httpDate = /^[a-z]{3,9}, [\w :-]{1,30} GMT$/i;

const secondsUntil = (value: string): number => {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  return httpDate.test(value) ? (Date.parse(value) - Date.now()) / 1000 : Number.NaN;
};

/** Reads `Retry-After`, seconds or an HTTP date, as whole seconds from now, between one second and one hour. */
export const readRetryAfter = (value: string | null | undefined): number | undefined => {
  const seconds = secondsUntil(value ?? '');
  return Number.isNaN(seconds) ? undefined : Math.min(maxRetryAfter, Math.max(1, Math.ceil(seconds)));
};
