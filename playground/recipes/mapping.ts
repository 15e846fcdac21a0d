/** Replaces each mapping in a text, such as `{{1.contact.phone}}`: the number of a step, from 1, and a path in its result. */
export const replaceMappings = (text: string, replace: (step: number, path: string) => string): string =>
  text.replace(/\{\{(\d{1,3})\.([^{}]+)\}\}/g, (_, step: string, path: string) => replace(Number(step), path));
