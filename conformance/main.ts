/** `npm run conformance`: compares a live service with the contract in `src/api`. */
import { errorMessage, Stopped, WrongUse } from './errors';
import { type Options, readEnvironment, readOptions, usage } from './options';
import { saveRecordings } from './recording/save';
import { summarize, toTable } from './report';
import { checkService } from './run';

/** Prints and saves the results. Returns whether everything that was asked for held. */
const check = async (options: Options): Promise<boolean> => {
  const { rows, responses, received } = await checkService(options, (name, number, count) =>
    console.error(`[${number}/${count}] ${name}`),
  );
  console.log(toTable(rows));
  console.log(`\n${summarize(rows)}`);
  saveRecordings(options.record, responses, received);
  console.log(`Saved the masked responses in ${options.record}`);
  return rows.every(({ outcome }) => outcome === 'held' || outcome === 'not asked');
};

/** Returns the exit code. */
const explain = (error: unknown): number => {
  const message = errorMessage(error);
  if (error instanceof WrongUse) console.error(`${message}\n\n${usage}`);
  else console.error(error instanceof Stopped ? message : `The service couldn't be checked: ${message}.`);
  return error instanceof WrongUse || error instanceof Stopped ? 2 : 1;
};

const main = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2), readEnvironment(process.cwd()));
  return (await check(options)) ? 0 : 1;
};

main()
  .catch(explain)
  .then((code) => {
    process.exitCode = code;
  });
