import type { Output } from '../../zapier/fields/mapping';

/** What a person looks for in a result, by the last name of a path: the text, the status, the answer, the person. */
const ranks: readonly RegExp[] = [
  /(^|_)(text|body|question)$/,
  /(^|_)status$|^(already_sent|answer)$/,
  /(^|_)(name|phone|email|username|from|to)$/,
];

/** What only programs read. */
const technical = /(^|_)(id|url|key|cursor)$/;

const rankOf = ({ path }: Output): number => {
  const name = path.split('.').at(-1) ?? '';
  if (technical.test(name)) return ranks.length + 1;
  const found = ranks.findIndex((each) => each.test(name));
  return found < 0 ? ranks.length : found;
};

/** The values of a result, with what a person looks for first and ids last. What is alike keeps its order. */
export const orderOutputs = (outputs: readonly Output[]): Output[] =>
  outputs.toSorted((one, other) => rankOf(one) - rankOf(other));
