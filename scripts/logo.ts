import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { type Command, parseFlags, runCommand } from '../lab/cli/command';

const docs = join(__dirname, '../docs');

/** Draws docs/logo.svg as a PNG of 512 by 512 pixels. Zapier's app directory requires at least 256. */
export const drawLogo = async (): Promise<Uint8Array> => {
  await initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const drawing = new Resvg(readFileSync(join(docs, 'logo.svg')), { fitTo: { mode: 'width', value: 512 } });
  return drawing.render().asPng();
};

const command = {
  name: 'npm run logo',
  summary: 'Draws docs/logo.png from docs/logo.svg.',
  options: {},
  examples: ['npm run logo'],
} as const satisfies Command;

const main = async (args: string[]): Promise<void> => {
  parseFlags(command, args);
  writeFileSync(join(docs, 'logo.png'), await drawLogo());
  console.log('Wrote docs/logo.png.');
};

if (require.main === module) runCommand(command, main);
