/** How well a name answers what was asked for, in any case: 0 the same, 1 begins with it, 2 anything else. */
const distance = (name: string, wanted: string): number => {
  const [has, needs] = [name.toLowerCase(), wanted.toLowerCase()];
  if (has === needs) return 0;
  return has.startsWith(needs) ? 1 : 2;
};

/** Puts what answers best first and otherwise keeps the order. */
export const bestFirst = <T>(items: T[], wanted: string, nameOf: (item: T) => string | null | undefined): T[] =>
  items.toSorted((one, other) => distance(nameOf(one) ?? '', wanted) - distance(nameOf(other) ?? '', wanted));
