import fc from 'fast-check';
import type { AppStep } from '../../zapier/kinds';
import { findBrokenStep } from '../../zapier/zap/steps';

const stepWith = (text: string): AppStep => ({
  type: 'app',
  id: 'step',
  operation: 'creates.add',
  values: { text },
  labels: {},
});

const reference = fc.stringMatching(/^[\w ]{1,20}$/).map((name) => `{{1.${name}}}`);

test('half a reference is named, wherever it is and whichever part is left', () => {
  for (const half of ['{{1.Row Number}', '{{1.Row Number', '{{', '{1.Row Number}}', '{{1.}}', '{{Row Number}}']) {
    for (const text of [half, `${half}whatsapp`, `Hello {{1.Name}} ${half}`, `${half} {{1.Name}}`]) {
      expect([text, findBrokenStep(stepWith(text), 1)]).toEqual([
        text,
        expect.stringMatching(/^The field text has only part of a mapped value, ".{2,40}"\./),
      ]);
    }
  }
});

test('a reference that loses any of its braces is named', () => {
  const lost = fc.tuple(reference, fc.constantFrom(0, 1, -1, -2)).map(([text, at]) => {
    const index = at < 0 ? text.length + at : at;
    return text.slice(0, index) + text.slice(index + 1);
  });
  fc.assert(
    fc.property(lost, (text) => {
      expect(findBrokenStep(stepWith(text), 1)).toContain('has only part of a mapped value');
    }),
  );
});

test('whole references, braces in texts and JSON have no problem', () => {
  for (const text of ['{{1.Name}}{{1.Row Number}}', '{a} {1} {1.5}', '{"a":{"b":{"c":1.5}}}', ':-} {', '']) {
    expect([text, findBrokenStep(stepWith(text), 1)]).toEqual([text, undefined]);
  }
});
