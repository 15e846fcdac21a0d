/** `npm run adapt`: compares the OpenAPI file of a service with the contract in `src/api`, before anything is sent. */
import { type Command, execute, parseFlags, start } from '../../cli/command';
import { project } from '../../cli/environment';
import { UsageError } from '../../cli/errors';
import { printable } from '../../cli/text';
import { applyEdits, formatEdits } from '../edits';
import { readDocument } from './document';
import { describeService } from './operations';
import { planAdaptation } from './plan';

const command = {
  name: 'npm run adapt',
  summary:
    'Reads the OpenAPI 3 file of a service, and compares its paths, its authorization and its parameters with the contract in src/api. Prints the edits that are safe, and a question for everything else. Then run npm run conformance. Exit status: 0, no question is open; 1, some are; 2, wrong option or file.',
  options: {
    openapi: { type: 'string', value: 'FILE', help: 'Reads FILE, in JSON or YAML.' },
    fix: { type: 'boolean', default: false, help: 'Makes the edits.' },
  },
  examples: ['npm run adapt -- --openapi their-openapi.yaml', 'npm run adapt -- --openapi their-openapi.yaml --fix'],
} as const satisfies Command;

const main = async (args: string[], root: string): Promise<number> => {
  // A file alone is the file.
  const [first = ''] = args;
  const given = /^--/.test(first) || first === '' ? args : ['--openapi', ...args];
  const { openapi: file, fix } = parseFlags(command, given);
  if (!file) throw new UsageError('Name the file with --openapi FILE.');
  const { content, unread } = await readDocument(file);
  const service = describeService(content, file);
  const { calls, questions, edits } = planAdaptation(root, service, unread);
  console.log(
    `The calls of the contract, among ${service.operations.length} of ${file}:\n${calls.map(printable).join('\n')}`,
  );
  if (questions.length > 0) {
    const numbered = questions.map((each, index) => `${index + 1}. ${printable(each)}`);
    console.log(`\nQuestions, with the parts of docs/adapting.md:\n${numbered.join('\n')}`);
  }
  if (edits.length > 0) {
    if (fix) applyEdits(root, edits);
    console.log(
      `\n${fix ? 'Edited src/api. Run the command again' : 'These edits are safe. Add --fix to make them'}:\n${formatEdits(edits)}`,
    );
  }
  const open = questions.length === 1 ? '1 question is open' : `${questions.length} questions are open`;
  console.log(`\n${open}. Then compare the service itself: npm run conformance`);
  return questions.length > 0 ? 1 : 0;
};

/** Runs the command for the contract below `root`. Returns the exit code. */
export const adapt = (args: string[], root: string): Promise<number> =>
  execute(command, (given) => main(given, root), args);

if (require.main === module) void start((args) => adapt(args, project));
