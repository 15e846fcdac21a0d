/** `npm run conformance`: compares a live service with the contract in `src/api`. */
import { errorMessage } from '../cli/errors';

/** Runs the command. A contract whose own examples don't survive it can't be loaded. */
const start = async (): Promise<void> => {
  try {
    await import('./command');
  } catch (error) {
    console.error(`The contract can't be used, so nothing was checked: ${errorMessage(error)}`);
    process.exitCode = 2;
  }
};

void start();
