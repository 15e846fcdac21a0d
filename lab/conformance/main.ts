/** `npm run conformance`: compares a live service with the contract in `src/api`. */
import { execute, start } from '../cli/command';
import { readEnvironment, sourceOf } from '../cli/environment';
import { errorMessage, UsageError } from '../cli/errors';
import { clearProgress, showProgress } from '../cli/progress';
import { CheckAborted, isOpen } from './check';
import { formatLeft } from './clean-up';
import { command, readOptions } from './options';
import { findRecordings, saveRecordings } from './recording/save';
import { formatReport, formatSteps, untriedIn } from './report';
import { checkService } from './run';

/** Says which steps the app has with this contract, and which are gone. */
const describeSteps = async (): Promise<string> => {
  const { default: app } = await import('../../src');
  const { goneSteps } = await import('../../src/step/register');
  const left = [app.triggers, app.creates, app.searches].flatMap((steps) => Object.values(steps ?? {}));
  const shown = left.flatMap(({ key, display: { hidden } }) => (hidden ? [] : [key]));
  return formatSteps(shown, goneSteps());
};

/** Aborts when the process is told to end, such as by Ctrl-C. npm may pass the same signal on again. */
const stopSignal = (): AbortSignal => {
  const controller = new AbortController();
  const stop = () => controller.abort(new CheckAborted('The run was stopped.'));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  return controller.signal;
};

/** Returns the exit code: 0 when nothing differs, stays unchecked or isn't proven, 1 when something is, 2 when the service can't be checked. */
const main = async (args: string[]): Promise<number> => {
  const options = readOptions(args, readEnvironment());
  findRecordings(options.record);
  const task = options.write ? 'creates and removes records' : 'only reads';
  console.log(`Checking ${options.connection.baseUrl} with the API_TOKEN from ${sourceOf('API_TOKEN')}. This ${task}.`);
  try {
    const { rows, responses, received, left } = await checkService(options, {
      onProgress: (name, number, count) => showProgress(`Check ${number} of ${count}: ${name}`),
      signal: stopSignal(),
    });
    clearProgress();
    saveRecordings(options.record, responses, received);
    const untried = untriedIn(rows, options.accept);
    console.log(formatReport(rows, options.record, untried));
    if (left.length > 0) console.log(formatLeft(left));
    console.log(await describeSteps());
    return rows.some(isOpen) || untried.open.length > 0 ? 1 : 0;
  } catch (error) {
    clearProgress();
    if (error instanceof UsageError) throw error;
    const { message } =
      error instanceof CheckAborted ? error : new Error(`The service couldn't be checked: ${errorMessage(error)}.`);
    console.error(message);
    return error instanceof CheckAborted ? 2 : 1;
  }
};

/** Runs the command. Returns the exit code. */
export const conformance = (args: string[]): Promise<number> => execute(command, main, args);

if (require.main === module) void start(conformance);
