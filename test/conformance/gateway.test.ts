/** Services that need no edit, although their IDs or their deliveries differ from the sandbox's. */
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import { shortenPauses } from '../support/pauses';
import { newNumber, Running } from '../support/running';
import { type Manner, startGateway } from './gateway';

const running = new Running({ isSmall: true });
shortenPauses();

const checkThrough = async (manner: Manner) => {
  const gateway = await startGateway(running.url, manner);
  try {
    const args = ['--base-url', gateway.url, '--write', '--to', newNumber()];
    const options = readOptions(args, { API_TOKEN: running.sandbox.tokens.advanced });
    const results = await checkService(options, { settle: running.settle });
    return { ...results, types: gateway.deliveredTypes };
  } finally {
    await gateway.stop();
  }
};

test('a service whose IDs are numbers over 2^53 ends with nothing open, and nothing is left', async () => {
  const { rows, left } = await checkThrough({ hasBigIds: true });
  expect(rows.filter(({ outcome }) => !['passed', 'skipped', 'copes'].includes(outcome))).toEqual([]);
  expect(rows.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(50);
  expect(left).toEqual([]);
});

test('a service that delivers events of several types at once ends with nothing open', async () => {
  const { rows, types } = await checkThrough({ batches: true });
  expect(types).toContainEqual(['message.sent', 'message.delivered']);
  expect(rows.filter(({ outcome }) => !['passed', 'skipped', 'copes'].includes(outcome))).toEqual([]);
});
