import { vocabulary } from '../../src/api/resources';
import { needsOf } from '../../src/platform/register';
import { triggers } from '../../triggers';

test('an instant trigger depends on an event, so that it goes if the service lacks the event', () => {
  const instant = Object.values(triggers).filter(({ operation }) => 'performSubscribe' in operation);
  const without = instant.filter(
    (step) => !needsOf(step).some((need) => vocabulary.event.some((name) => name === need)),
  );
  const advice = without.map(({ key }) => `Add the event of ${key} to its line in triggers/index.ts.`);
  expect(advice).toEqual([]);
});
