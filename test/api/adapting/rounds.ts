/** Makes the round of each copy of the project, in one process. The arguments are their folders. Prints a line each. */
import { join } from 'node:path';

const main = async (): Promise<void> => {
  for (const copy of process.argv.slice(2)) {
    const { round }: typeof import('./round') = await import(join(copy, 'test/api/adapting/round'));
    console.log(JSON.stringify(await round()));
  }
};

main();
