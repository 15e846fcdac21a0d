/** `npm run texts`: everything that people read, by where they read it. */
import '../../zapier/core/quiet-core';
import { type Command, parseFlags, runCommand } from '../../cli/command';
import { expandForms } from '../docs/definition';
import { listAppTexts, type Text } from './app-texts';
import { listSourceTexts } from './source-texts';

const readTexts = async (): Promise<Text[]> => [...listAppTexts(await expandForms()), ...listSourceTexts()];
let texts: Promise<Text[]> | undefined;

/** Lists the texts of the product: the app by step, then what is only in the code, by file. Reads the code once. */
export const listTexts = (): Promise<Text[]> => {
  texts ??= readTexts();
  return texts;
};

const command = {
  name: 'npm run texts',
  summary:
    'Prints every text that people read: labels, help, notes and results by step, then errors, the playground, recipes and commands by file.',
  options: {},
  examples: ['npm run texts', 'npm run --silent texts > texts.md'],
} as const satisfies Command;

const main = async (args: string[]): Promise<void> => {
  parseFlags(command, args);
  for (const [place, own] of Map.groupBy(await listTexts(), (each) => each.place)) {
    console.log([`## ${place}`, '', ...own.map(({ what, text }) => `- ${what}: ${text}`), ''].join('\n'));
  }
};

if (require.main === module) runCommand(command, main);
