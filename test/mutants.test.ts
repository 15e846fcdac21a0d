import { listMutants, place, readApp, readMutants } from './mutants/mutants';

const app: [file: string, text: string][] = [
  ['src/one.ts', 'if (size > max) {\n  stop();\n}'],
  ['src/two.ts', 'stop();'],
];
const wholeApp = readApp();
const tests = ['test/creates/sending.test.ts'];

const list = `# Mutants

\`\`\`diff
# A reason.
@@ larger sending
-if (size > max) {
+if (size > 2 * max) {
\`\`\`
`;
const mutant = { name: 'larger', tests: ['sending'], before: 'if (size > max) {', after: 'if (size > 2 * max) {' };

test.each(listMutants())('the mutant $name fits one place of the app, and names tests that exist', (listed) => {
  expect(place(listed, wholeApp).testFiles.length).toBeGreaterThan(0);
});

test('a list is read hunk by hunk', () => {
  expect(readMutants(list)).toEqual([mutant]);
});

test('a mutant is placed by its text, whatever its file is called', () => {
  expect(place(mutant, app, tests)).toEqual({ ...mutant, file: 'src/one.ts', testFiles: tests });
});

test.each([
  ['whose text is missing', { before: 'if (size >= max) {' }, 'The mutant "larger" fits no place of the app.'],
  ['without a text', { before: '' }, 'The mutant "larger" fits no place of the app.'],
  ['that fits twice', { before: 'stop();' }, 'The mutant "larger" fits several places: src/one.ts and src/two.ts.'],
  ['that changes nothing', { after: 'if (size > max) {' }, 'The mutant "larger" changes nothing.'],
  ['of unknown tests', { tests: ['pages'] }, 'The mutant "larger" names the tests "pages", which don\'t exist.'],
])('a mutant %s is reported', (_, change, message) => {
  expect(() => place({ ...mutant, ...change }, app, tests)).toThrow(message);
});
