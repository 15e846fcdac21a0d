import { expandForms, namesOf } from '../scripts/docs/definition';
import { listTexts } from '../scripts/texts/main';
import { everyStep, groupErrors } from '../scripts/texts/step-errors';
import { apiPlan, endpoints } from '../src/api/endpoints';
import { capitalize } from '../src/api/labels';
import {
  type AppDefinition,
  type FieldOfApp,
  plainFields,
  stepsOf,
  visibleStepsOf,
} from '../zapier/core/app-definition';
import { documents } from './support/documents';
import type { Check } from './support/integration-checks';
import { textRules } from './support/text-rules';

type Text = [place: string, text: string];

const formsOf = (app: AppDefinition): { place: string; fields: FieldOfApp[] }[] => [
  { place: 'authentication', fields: app.authentication.fields },
  ...visibleStepsOf(app).map(({ place, step }) => ({ place, fields: plainFields(step) })),
];

const displays = (app: AppDefinition) => [
  ...visibleStepsOf(app).map(({ place, step }) => ({ place, noun: step.noun, ...step.display })),
  ...Object.entries(app.searchOrCreates).map(([place, { display }]) => ({ place, noun: '', ...display })),
];

/** Everything that a person reads before a Zap runs, without what is quoted as code and where links lead. */
const texts = (app: AppDefinition): Text[] => [
  ...displays(app).flatMap(({ place, label, description }): Text[] => [
    [place, label],
    [place, description],
  ]),
  ...formsOf(app).flatMap(({ place, fields }) =>
    fields.flatMap((field) =>
      [field.label ?? '', field.helpText ?? '', ...Object.values(namesOf(field.choices))].map(
        (text): Text => [`${place}.${field.key}`, text.replace(/`[^`]*`|\]\([^)]*\)/g, '')],
      ),
    ),
  ),
];

const repeated = (parts: Text[]): string[] =>
  parts
    .filter(([, text], index) => text && parts.findIndex((other) => other[1] === text) < index)
    .map(([place]) => place);

/** Words that only developers know. `JSON` is one of them, but for the action that is for developers. */
const jargon =
  /\b(endpoint|payload|json|bool(ean)?|string|integer|float|array|object|null|undefined|param(eter)?|argument|schema|enum|regex|callback|webhook|http|uuid|utc|iso|timestamp|idempoten\w+|dedupe|async\w*)s?\b/i;

const plain = ([place, text]: Text): string =>
  place === 'creates.api_request.body' ? text.replaceAll('JSON', '') : text;

/** What people look for in the list of steps. */
const typedWords = ['whatsapp', 'sms', 'tag', 'opt out', 'broadcast', 'photo', 'unanswered'];

const isLoopNote = (field: FieldOfApp | undefined): boolean =>
  field?.type === 'copy' && /\bto prevent loops\b/i.test(field.helpText ?? '');

const hasConsequence = ({ helpText = '' }: FieldOfApp): boolean => helpText.includes("can't be undone");

/** What lets a reader choose the right step and fill in its fields from its words alone, be it a person or a machine. */
const rules: Omit<Check, 'id'>[] = [
  {
    says: "what deletes says that it can't be undone, in its description and in a note in its form",
    find: (app) =>
      stepsOf(app)
        .filter(({ step }) => {
          const notes = plainFields(step).filter(({ type }) => type === 'copy');
          const said = [step.display.description, notes.map(({ helpText }) => helpText).join(' ')];
          return /delete/.test(step.key) && !said.every((text) => text.includes("can't be undone"));
        })
        .map(({ place }) => place),
  },
  {
    says: "what sends, starts or deletes says in its description that it can't be undone, since an agent reads no notes",
    find: (app) =>
      stepsOf(app)
        .filter(({ kind, step: { key } }) => kind === 'creates' && /send|trigger|delete/.test(key))
        .filter(({ step }) => !step.display.description.includes("can't be undone"))
        .map(({ place }) => place),
  },
  {
    says: 'a consequence in a note is also in the description',
    find: (app) =>
      stepsOf(app)
        .filter(({ step }) => plainFields(step).some((field) => hasConsequence(field) && field.type === 'copy'))
        .filter(({ step }) => !step.display.description.includes("can't be undone"))
        .map(({ place }) => place),
  },
  {
    says: 'a field that only one choice shows, and that is required, is in the help text of that choice',
    find: (app) =>
      stepsOf(app).flatMap(({ place, step }) => {
        const told = plainFields(step).map(({ altersDynamicFields, helpText }) => altersDynamicFields && helpText);
        return plainFields(step)
          .filter(({ when, required, label = '' }) => when && required && !told.join(' ').includes(label))
          .map(({ key }) => `${place}.${key}`);
      }),
  },
  {
    says: "what needs a higher plan than the rest says so at the end of its description, since the editor doesn't",
    find: (app) => {
      const { plan } = endpoints.createWebhook;
      const note = plan === apiPlan ? '.' : ` (${capitalize(plan)} plan).`;
      return stepsOf(app)
        .filter(({ step: { operation } }) => operation.type === 'hook' || 'performResume' in operation)
        .filter(({ step }) => !step.display.description.endsWith(note))
        .map(({ place }) => place);
    },
  },
  {
    says: 'a trigger that a Zap can start itself says how to prevent loops',
    find: (app) =>
      visibleStepsOf(app)
        // Only a contact starts New Inbound Message.
        .filter(({ kind, step: { key } }) => kind === 'triggers' && key !== 'message_received')
        .filter(({ step }) => !isLoopNote(plainFields(step)[0]))
        .map(({ place }) => `Begin the form of ${place} with a loopNote() that says what to do "to prevent loops".`),
  },
  {
    says: 'what prevents loops is in a note above the form, and in no help text',
    find: (app) =>
      formsOf(app).flatMap(({ place, fields }) =>
        fields
          .filter((field, index) => /\bloops?\b/i.test(field.helpText ?? '') && !(index === 0 && isLoopNote(field)))
          .map(({ key }) => `${place}.${key}`),
      ),
  },
  {
    says: 'fields for a phone number or an email address show an example',
    find: (app) =>
      formsOf(app).flatMap(({ place, fields }) =>
        fields
          .filter(({ key, placeholder }) => /^(phone|email|to|test_recipient)$/.test(key) && !placeholder)
          .map(({ key }) => `${place}.${key}`),
      ),
  },
  {
    says: 'no label of a result is a key of the API',
    find: (app) =>
      stepsOf(app).flatMap(({ place, step }) =>
        (step.operation.outputFields ?? [])
          .filter(({ label = '' }) => !label || /_|\b(id|url)s?\b/i.test(label.replace(/\bIDs?\b/, '')))
          .map(({ key }) => `${place}.${key}`),
      ),
  },
  {
    says: 'words that people type find a step',
    find: (app) =>
      typedWords.filter(
        (word) =>
          !displays(app).some(({ label, description }) => `${label} ${description}`.toLowerCase().includes(word)),
      ),
  },
  {
    says: 'no two steps have one label, or differ by the letter s',
    find: (app) => repeated(displays(app).map(({ place, label }) => [place, label.replace(/s\b/g, '')])),
  },
  {
    says: 'no two fields of a form have one label',
    find: (app) =>
      formsOf(app).flatMap(({ place, fields }) => repeated(fields.map(({ label = '' }) => [place, label]))),
  },
  {
    says: 'no text points to something that is not in it',
    find: (app) =>
      texts(app)
        .filter(([, text]) => /\b(above|below|here|following|previous field|next field|see the docs)\b/i.test(text))
        .map(([place]) => place),
  },
  {
    says: 'help names only fields that the form or the connection has',
    find: (app) => {
      const everyLabel = new Set(formsOf(app).flatMap(({ fields }) => fields.map(({ label = '' }) => label)));
      const shared = app.authentication.fields.map(({ label }) => label);
      return formsOf(app).flatMap(({ place, fields }) =>
        fields
          .filter(({ helpText = '' }) =>
            [...everyLabel].some(
              (label) =>
                label.includes(' ') &&
                helpText.includes(label) &&
                ![...shared, ...fields.map((field) => field.label)].includes(label),
            ),
          )
          .map(({ key }) => `${place}.${key}`),
      );
    },
  },
  {
    says: 'no word is one that only developers know',
    find: (app) =>
      texts(app)
        .filter((text) => jargon.test(plain(text)))
        .map(([place]) => place),
  },
];

test.each(rules)('$says, also in fields that depend on a choice', async ({ find }) => {
  expect(find(await expandForms())).toEqual([]);
});

/** Words of developers that an error may have, since the step is for developers or names what it shows. */
const forDevelopers = ['creates/api-request.ts', 'src/api/effects.ts'];

test('no error of a step has a word that only developers know, such as payload or redirect', async () => {
  const errors = (await listTexts()).filter(({ what, place }) => what === 'error' && !forDevelopers.includes(place));
  expect(errors.length).toBeGreaterThan(100);
  const words = /\b(payload|json|signing secret|redirects?|endpoint|callback|timestamp|schema|null|undefined)s?\b/i;
  expect(errors.filter(({ text }) => words.test(text) && text.endsWith('.'))).toEqual([]);
});

test('an error is listed with each step whose code has it', async () => {
  const steps = [...groupErrors(await listTexts())];
  const stepsOf = (part: string) =>
    steps.flatMap(([step, own]) => (own.some(({ text }) => text.includes(part)) ? step : []));
  expect(stepsOf('is a placeholder, not a value')).toEqual([everyStep]);
  expect(stepsOf('There is nothing to change')).toEqual(['creates.update_contact']);
  expect(stepsOf('can wait for a reply only in a Zap')).toEqual(['creates.send_message_and_wait']);
});

test.each(textRules)('$says: in every text of the product', async ({ breach, example }) => {
  expect(example).toMatch(breach);
  const all = await listTexts();
  expect(Object.keys(Object.groupBy(all, ({ what }) => what.replace(/^.*: /, '')))).toEqual(
    expect.arrayContaining(['label', 'description', 'help', 'note', 'choice', 'result', 'error', 'page', 'command']),
  );
  expect(all.filter(({ text }) => breach.test(text.replaceAll(/`[^`]*`/g, 'x')))).toEqual([]);
});

/** How often a page may give a reason with "because". More is a reflex: lead with what the reader needs. */
const reasonsPerThousandWords = 4;

test.each(documents)('$path keeps the rules for words', ({ prose }) => {
  const words = prose.join(' ').split(/\s+/);
  const reasons = words.filter((word) => word.toLowerCase() === 'because').length;
  expect(reasons).toBeLessThanOrEqual(Math.max(2, (words.length * reasonsPerThousandWords) / 1000));
  const breaches = textRules.flatMap(({ says, breach }) =>
    prose.filter((text) => breach.test(text)).map((text) => ({ says, text })),
  );
  expect(breaches).toEqual([]);
});
