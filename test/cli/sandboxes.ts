/** Starts and stops sandboxes in the folder of its first argument, many times for each message, which it then returns. */
import { removeEnv, saveEnv } from '../../cli/env-file';
import { UsageError } from '../../cli/errors';

const [, , folder = ''] = process.argv;
const token = `tok_${process.pid}`;
const url = 'http://127.0.0.1:4010';

const startAndStop = (): void => {
  try {
    saveEnv(url, token, folder);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  removeEnv(url, token, folder);
};

process.on('message', (message) => {
  for (let times = 0; times < 30; times += 1) startAndStop();
  process.send?.(message);
});
// The process lives while its parent may write to it.
process.channel?.ref();
process.send?.('ready');
