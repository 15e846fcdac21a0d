import { join } from 'node:path';
import { project } from '../../lab/cli/environment';
import { runNode } from './processes';

const separator = '----';

/** An account, and what follows `zapier-platform invoke` in its command. */
export interface Invocation {
  account: { base_url: string; api_token: string };
  args: readonly string[];
}

/**
 * Runs `zapier-platform invoke` with the app in a folder, and returns what each time printed. All run in one process, since
 * the CLI takes seconds to load.
 */
export const invokeAll = async (folder: string, invocations: readonly Invocation[]): Promise<string[]> => {
  const script = `
    const cli = ${JSON.stringify(join(project, 'node_modules/zapier-platform-cli/package.json'))};
    const { run } = require(require.resolve('@oclif/core', { paths: [cli] }));
    const runAll = async () => {
      for (const { account, args } of ${JSON.stringify(invocations)}) {
        for (const [key, value] of Object.entries(account)) process.env['authData_' + key] = value;
        await run(['invoke', ...args], cli).catch(({ message }) => console.log(message));
        console.log('${separator}');
      }
    };
    runAll();`;
  const env = { ...process.env, NODE_OPTIONS: '', DISABLE_ZAPIER_ANALYTICS: '1' };
  const { out } = await runNode(['-e', script], { cwd: folder, env });
  return out.split(separator).map((text) => text.trim());
};
