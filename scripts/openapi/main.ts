/**
 * `npm run openapi`: writes the contract of `src/api` as `docs/openapi.json`, or into the file that is named, and says
 * what a linter finds in it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDocument } from './document';
import { lintDocument } from './lint';

const file = process.argv[2] ?? join(__dirname, '../../docs/openapi.json');

const main = async (): Promise<void> => {
  writeFileSync(file, writeDocument());
  const problems = await lintDocument(file);
  console.log([`${file} is written. Problems: ${problems.length}`, ...problems].join('\n'));
  process.exitCode = problems.length > 0 ? 1 : 0;
};

main();
