/** `npm run conformance`: compares a live service with the contract in `src/api`. */
import { start } from '../cli/command';
import { errorMessage } from '../cli/errors';

/** Runs the command. Returns the exit code: 2 for a contract whose own examples don't survive it, which can't be loaded. */
export const conformance = async (args: string[]): Promise<number> => {
  try {
    const { run } = await import('./command');
    return await run(args);
  } catch (error) {
    console.error(`The contract can't be used, so nothing was checked: ${errorMessage(error)}`);
    return 2;
  }
};

if (require.main === module) void start(conformance);
