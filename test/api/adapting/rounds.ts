/** Runs the round of every copy of the project in parallel. The arguments are their folders. Prints a line for each. */
import { join } from 'node:path';

const main = async (): Promise<void> => {
  const rounds = process.argv.slice(2).map(async (copy) => {
    const { round }: typeof import('./round') = await import(join(copy, 'test/api/adapting/round'));
    return JSON.stringify(await round());
  });
  console.log((await Promise.all(rounds)).join('\n'));
};

main();
