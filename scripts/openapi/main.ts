/** `npm run openapi` writes `docs/openapi.json`, or the named file, from `src/api` and prints what a linter finds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDocument } from './document';
import { lintDocument } from './lint';

const file = process.argv[2] ?? join(__dirname, '../../docs/openapi.json');

const main = async (): Promise<void> => {
  writeFileSync(file, writeDocument());
  const problems = await lintDocument(file);
  console.log([`Wrote ${file}. Problems: ${problems.length}`, ...problems].join('\n'));
  process.exitCode = problems.length > 0 ? 1 : 0;
};

main();
