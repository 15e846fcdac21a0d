import { runNode } from '../processes';

test('loses, repeats and forges nothing while a fifth of the requests fail', async () => {
  const { out } = await runNode(['test/end-to-end/soak.ts', '--inbound', '60', '--sends', '20']);
  for (const harm of ['lost', 'startedTwice', 'forgedLetIn', 'notSent', 'sentTwice']) {
    expect(out).toMatch(new RegExp(`${harm} +│ 0 `));
  }
});
