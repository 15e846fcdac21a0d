/** Runs the round of every copy of the project. The arguments are their folders. Prints a line for each. */
import { join } from 'node:path';

const main = async (): Promise<void> => {
  const [copies, lines] = [process.argv.slice(2), new Map<string, string>()];
  const left = copies.values();
  // More at once would only take longer to respond to each other, and may take too long on a busy machine.
  const lane = async () => {
    for (const copy of left) {
      const { round }: typeof import('./round') = await import(join(copy, 'test/api/adapting/round'));
      lines.set(copy, JSON.stringify(await round()));
    }
  };
  await Promise.all([lane(), lane()]);
  console.log(copies.map((copy) => lines.get(copy)).join('\n'));
};

main();
