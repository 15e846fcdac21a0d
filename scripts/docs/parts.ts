/** The picture of the parts, drawn from the table of imports. */
import { contents, rooms } from './rooms';

const contract = 'src/api';
/** The parts: the rooms that the table of contents has, and the contract. Tests may use every part. */
const parts = [...Object.keys(contents).filter((paths) => paths !== 'test'), contract];
/** What Zapier runs. */
const app = parts.slice(-3);
const steps = 'triggers creates searches';

/** The publisher's details, which every part may use. */
const details = 'src/brand';

const partOf = (path: string): string | undefined =>
  path === details
    ? undefined
    : parts
        .filter((paths) => paths.split(' ').some((room) => path === room || path.startsWith(`${room}/`)))
        .toSorted((one, other) => other.length - one.length)[0];

/** What a part may import, also in one of its rooms. An arrow upward is one of the exceptions. */
const importsOf = (part: string): string[] => {
  const own = [...rooms].filter(([room]) => partOf(room) === part);
  const used = own.flatMap(([, imports]) => imports.flatMap((path) => partOf(path) ?? []));
  return [...new Set(used)].filter((other) => parts.indexOf(other) > parts.indexOf(part));
};

const reach = (from: string): Set<string> => new Set(importsOf(from).flatMap((to) => [to, ...reach(to)]));

/** The arrows that no other arrows lead along. */
const arrows = (): [from: string, to: string][] =>
  parts.flatMap((from) => {
    const direct = importsOf(from);
    const along = new Set(direct.flatMap((to) => [...reach(to)]));
    return direct.filter((to) => !along.has(to)).map((to): [string, string] => [from, to]);
  });

const nodeOf = (part: string): string => part.replace(/\W+/g, '-');

const draw = (part: string): string => {
  const text = part === contract ? 'what the API looks like' : (contents[part] ?? '').replace(/;.*|`/g, '');
  return `${nodeOf(part)}["${part.replaceAll(' ', ', ')}<br>${text}"]`;
};

/** Returns the picture as a Mermaid diagram. */
export const drawParts = (): string =>
  [
    'flowchart TB',
    ...parts.filter((part) => !app.includes(part)).map((part) => `  ${draw(part)}`),
    '  subgraph app [The app]',
    ...app.map((part) => `    ${draw(part)}`),
    '  end',
    ...arrows().map(([from, to]) => `  ${nodeOf(from)} --> ${nodeOf(to)}`),
    `  src -. registers .-> ${nodeOf(steps)}`,
  ].join('\n');
