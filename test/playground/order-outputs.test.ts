/** The order in which a result shows. */
import { orderOutputs } from '../../playground/service/order-outputs';
import { definition } from '../../playground/service/zapier';
import { outputsOf } from '../../zapier/fields/mapping';

test('a sent message begins with its text, its status and the person, and ends with ids', () => {
  const outputs = outputsOf(definition.find('creates.send_message')?.sample);
  const paths = orderOutputs(outputs).map(({ path }) => path);
  expect(paths.slice(0, 5)).toEqual(['text', 'status', 'contact.phone', 'contact.username', 'contact.first_name']);
  expect(paths.toSorted()).toEqual(outputs.map(({ path }) => path).toSorted());
  const firstId = paths.findIndex((path) => /(^|_|\.)(id|url)$/.test(path));
  expect(paths.slice(firstId).every((path) => /(^|_|\.)(id|url)$/.test(path))).toBe(true);
});
