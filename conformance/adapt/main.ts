/** `npm run adapt`: compares the OpenAPI file of a service with the contract in `src/api`, before anything is sent. */
import { resolve } from 'node:path';
import { type Command, parseFlags, runCommand } from '../../cli/command';
import { UsageError } from '../../cli/errors';
import { applyEdits, formatEdits } from '../edits';
import { readOperations } from './operations';
import { planAdaptation } from './plan';

const root = resolve(__dirname, '../..');

const command = {
  name: 'npm run adapt',
  summary:
    'Reads the OpenAPI 3 file of a service, and compares it with the contract in src/api. Prints the edits that are safe, and a question for everything else. Then run npm run conformance. Exit status: 0, no question is open; 1, some are; 2, wrong option or file.',
  options: {
    openapi: { type: 'string', value: 'FILE', help: 'Reads FILE, in JSON or YAML.' },
    fix: { type: 'boolean', default: false, help: 'Makes the edits.' },
  },
  examples: ['npm run adapt -- --openapi their-openapi.yaml', 'npm run adapt -- --openapi their-openapi.yaml --fix'],
} as const satisfies Command;

const main = async (args: string[]): Promise<number> => {
  const { openapi: file, fix } = parseFlags(command, args);
  if (!file) throw new UsageError('Name the file with --openapi FILE.');
  const operations = await readOperations(file);
  const { calls, questions, edits } = planAdaptation(root, operations);
  console.log(`The calls of the contract, among ${operations.length} of ${file}:\n${calls.join('\n')}`);
  if (questions.length > 0) {
    const numbered = questions.map((each, index) => `${index + 1}. ${each}`);
    console.log(`\nQuestions, with the examples of docs/adapting.md:\n${numbered.join('\n')}`);
  }
  if (edits.length > 0) {
    if (fix) applyEdits(root, edits);
    console.log(`\n${fix ? 'Edited src/api' : 'These edits are safe. Add --fix to make them'}:\n${formatEdits(edits)}`);
  }
  const open = questions.length === 1 ? '1 question is open' : `${questions.length} questions are open`;
  console.log(`\n${open}. Then compare the service itself: npm run conformance`);
  return questions.length > 0 ? 1 : 0;
};

runCommand(command, main);
