import { join } from 'node:path';
import { project } from '../../cli/environment';
import { runNode } from './processes';

const separator = '----';

/**
 * Runs `zapier-platform invoke` with each of these arguments on the app in a folder, and returns what each one printed.
 * All run in one process, since the CLI takes two seconds to load.
 */
export const invokeAll = async (
  folder: string,
  account: { base_url: string; api_token: string },
  ...commands: string[][]
): Promise<string[]> => {
  const script = `
    const cli = ${JSON.stringify(join(project, 'node_modules/zapier-platform-cli/package.json'))};
    const { run } = require(require.resolve('@oclif/core', { paths: [cli] }));
    const runAll = async () => {
      for (const command of ${JSON.stringify(commands)}) {
        await run(['invoke', ...command], cli).catch(({ message }) => console.log(message));
        console.log('${separator}');
      }
    };
    runAll();`;
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    DISABLE_ZAPIER_ANALYTICS: '1',
    authData_base_url: account.base_url,
    authData_api_token: account.api_token,
  };
  const { out } = await runNode(['-e', script], { cwd: folder, env });
  return out.split(separator).map((text) => text.trim());
};
