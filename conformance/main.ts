/** `npm run conformance`: compares a live service with the contract in `src/api`. */
import { runCommand } from '../scripts/cli/command';
import { readEnvironment, sourceOf } from '../scripts/cli/environment';
import { errorMessage, UsageError } from '../scripts/cli/errors';
import { clearProgress, showProgress } from '../scripts/cli/progress';
import { CheckAborted } from './checks/check';
import { command, readOptions } from './options';
import { saveRecordings } from './recording/save';
import { formatReport } from './report';
import { checkService } from './run';

/** Returns the exit code: 0 when everything held, 1 when it didn't, and 2 when the service can't be checked. */
const main = async (args: string[]): Promise<number> => {
  const options = readOptions(args, readEnvironment());
  const task = options.write ? 'creates and removes records' : 'only reads';
  console.log(`Checking ${options.connection.baseUrl} with the API_TOKEN from ${sourceOf('API_TOKEN')}. This ${task}.`);
  try {
    const { rows, responses, received } = await checkService(options, (name, number, count) =>
      showProgress(`Check ${number} of ${count}: ${name}`),
    );
    clearProgress();
    saveRecordings(options.record, responses, received);
    console.log(formatReport(rows, options.record));
    return rows.every(({ outcome }) => outcome === 'held' || outcome === 'not asked') ? 0 : 1;
  } catch (error) {
    clearProgress();
    if (error instanceof UsageError) throw error;
    const { message } =
      error instanceof CheckAborted ? error : new Error(`The service couldn't be checked: ${errorMessage(error)}.`);
    console.error(message);
    return error instanceof CheckAborted ? 2 : 1;
  }
};

runCommand(command, main);
