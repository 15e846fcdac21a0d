/** `npm run openapi`: writes the OpenAPI document from the contract in `src/api`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { type Command, parseFlags, runCommand } from '../../lab/cli/command';
import { writeDocument } from './document';

const command = {
  name: 'npm run openapi',
  summary: 'Writes docs/openapi.json from the contract in src/api. Exits with 1 if a linter finds a problem.',
  options: { output: { type: 'string', value: 'FILE', help: 'Writes FILE instead of docs/openapi.json.' } },
  examples: ['npm run openapi'],
} as const satisfies Command;

/** Checks an OpenAPI file with Redocly's recommended rules. Returns one line per problem. */
const lintDocument = async (file: string): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: file, config });
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
  );
};

const main = async (args: string[]): Promise<number> => {
  const { output: file = join(__dirname, '../../docs/openapi.json') } = parseFlags(command, args);
  writeFileSync(file, writeDocument());
  const problems = await lintDocument(file);
  console.log([`Wrote ${file}. Problems: ${problems.length}`, ...problems].join('\n'));
  return problems.length > 0 ? 1 : 0;
};

runCommand(command, main);
