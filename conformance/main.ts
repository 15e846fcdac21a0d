/** `npm run conformance`: compares a live service with the contract of `src/api`. */

import { sentenceOf } from './errors';
import { type Options, readOptions, usage, WrongUse } from './options';
import { saveRecordings } from './recording/save';
import { summarize, toTable } from './report';
import { checkService } from './run';

const check = async (options: Options): Promise<boolean> => {
  const { rows, answers, received } = await checkService(options, (name, number, count) =>
    console.error(`[${number}/${count}] ${name}`),
  );
  const { token } = options.connection;
  console.log(toTable(rows).replaceAll(token, '…'));
  console.log(`\n${summarize(rows)}`);
  console.log(`The answers, masked: ${saveRecordings(options.record, answers, received)}`);
  return rows.every(({ outcome }) => outcome === 'held' || outcome === 'not asked');
};

const explain = (error: unknown): void => {
  const message = sentenceOf(error);
  const isWrongUse = error instanceof WrongUse;
  console.error(isWrongUse ? `${message}\n\n${usage}` : `The service could not be checked: ${message}.`);
  process.exitCode = isWrongUse ? 2 : 1;
};

const main = async (): Promise<void> => {
  const held = await check(readOptions(process.argv.slice(2)));
  process.exitCode = held ? 0 : 1;
};

main().catch(explain);
