import fc from 'fast-check';
import { readRecord } from '../../zapier/fields/json-record';

const inJson = (number: string) => readRecord(`{"order": {"ids": [${number}]}}`).record;

test('no digit of a whole number is lost, however long it is', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), (id) => {
      const { ids } = Object(inJson(String(id))).order;
      expect(String(ids[0])).toBe(String(id));
    }),
  );
});

test.each(['12.5', '0', '-0.25', '1e3', '9007199254740991'])('the number %s stays a number', (number) => {
  expect(inJson(number)).toEqual({ order: { ids: [Number(number)] } });
});

test.each(['12345678901234567890', '9007199254740993', '1e400'])('the number %s becomes a text', (number) => {
  expect(inJson(number)).toEqual({ order: { ids: [number] } });
});
