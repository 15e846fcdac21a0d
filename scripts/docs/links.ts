/** Returns the link to a heading on the same page, as GitHub forms it. */
export const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')}`;
