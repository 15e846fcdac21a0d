/** Bugs to plant: for each promise that a world can see, what would break it. The judge must notice every one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An edit of one place of the app. */
export interface Planted {
  id: string;
  file: string;
  from: string;
  to: string;
}

/** A bug that the judge must notice, and the plan and the world of `plantedSeed` in which it shows. */
export interface PlantedBug extends Planted {
  plan: string;
  world: string;
  /** The operations of the world that it needs, if it doesn't need all. */
  operations: readonly number[] | undefined;
}

export const plantedSeed = '7';

const readHunk = (hunk: string): PlantedBug => {
  const [head = '', ...lines] = hunk.split('\n');
  const [id = '', plan = '', place = '', file = ''] = head.split(' ');
  const [world = '', operations] = place.split(':');
  const linesWith = (sign: string) =>
    lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : [])).join('\n');
  return {
    id,
    plan,
    world,
    operations: operations?.split(',').map(Number),
    file,
    from: linesWith('-'),
    to: linesWith('+'),
  };
};

/** The bugs of `planted.md`, each by itself. */
export const planted: readonly PlantedBug[] = readFileSync(join(__dirname, 'planted.md'), 'utf8')
  .split('\n@@ ')
  .slice(1)
  .map(readHunk);

/** Returns a file of the app with a bug in it. Throws unless the place is there once. */
export const plantIn = (text: string, { id, file, from, to }: Planted): string => {
  const [before, after, ...others] = text.split(from);
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error(`The bug "${id}" fits ${after === undefined ? 'no place' : 'several places'} of ${file}.`);
  }
  return before + to + after;
};
