/** What the app declares: its operations, texts, checks of Zapier's, and what agents see. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { project } from '../lab/cli/environment';
import {
  type AppDefinition,
  type FieldOfApp,
  kinds,
  plainFields,
  stepsOf,
  visibleStepsOf,
} from '../lab/zapier/core/app-definition';
import { allowScripts, dependencies, version } from '../package.json';
import lock from '../package-lock.json';
import { currentApp, expandForms, namesOf } from '../scripts/docs/definition';
import { listTexts } from '../scripts/texts/main';
import { apiPlan, endpoints } from '../src/api/endpoints';
import { capitalize } from '../src/api/labels';
import { contact, vocabulary } from '../src/api/resources';
import { documents } from './support/documents';
import type { Check } from './support/integration-checks';
import { authData, expectCall } from './support/service';
import { textRules } from './support/text-rules';
import { runStep } from './support/zapier';

describe('the app', () => {
  const steps = stepsOf(currentApp);

  test('the app says its version and that of the platform', () => {
    expect(currentApp).toMatchObject({ version, platformVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });

  test.each(kinds)('every file in %s is a step that is registered under its name', (kind) => {
    const files = readdirSync(join(__dirname, '..', kind)).filter((file) => file !== 'index.ts');
    const registered = steps
      .filter((placed) => placed.kind === kind)
      .map(({ step }) => `${step.key.replaceAll('_', '-')}.ts`);
    expect([
      ...files
        .filter((file) => !registered.includes(file))
        .map((file) => `Register ${kind}/${file} in ${kind}/index.ts.`),
      ...registered.filter((file) => !files.includes(file)).map((file) => `Name the file of a step ${kind}/${file}.`),
    ]).toEqual([]);
  });

  /** Their labels name what the short keys leave out: only templates can be sent, and a reply is what is waited for. */
  const shorterKeys: Record<string, string> = {
    send_template_message: 'send_message',
    send_message_and_wait_for_reply: 'send_message_and_wait',
  };

  test('an action or a search has the key that its label says, since Zapier shows keys to agents', () => {
    const keyOf = (label: string): string =>
      label
        .toLowerCase()
        .replace(/\bthe /g, '')
        .replaceAll(' ', '_');
    const named = visibleStepsOf(currentApp).filter(({ kind }) => kind !== 'triggers');
    expect(named.map(({ step }) => step.key)).toEqual(
      named.map(({ step }) => shorterKeys[keyOf(step.display.label)] ?? keyOf(step.display.label)),
    );
  });

  test('no two steps share a function, since core tells functions by identity', () => {
    const performs = steps.flatMap(({ step }) =>
      Object.values(step.operation).filter((part) => typeof part === 'function'),
    );
    expect(performs.length).toBeGreaterThanOrEqual(steps.length);
    expect(new Set(performs).size).toBe(performs.length);
  });

  const repeated = (texts: (string | undefined)[]): (string | undefined)[] =>
    texts.filter((text, index) => texts.indexOf(text) < index);

  interface Leaf {
    path: string;
    value: unknown;
  }

  /** Lists the values in a sample by the keys that output fields have: `contact__id`, or `messages[]id` in a list. */
  const leavesOf = (value: unknown, path = ''): Leaf[] => {
    if (Array.isArray(value) && typeof value[0] === 'object') return leavesOf(value[0], `${path}[]`);
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return [{ path, value }];
    return Object.entries(value).flatMap(([key, inner]) =>
      leavesOf(inner, path === '' || path.endsWith('[]') ? path + key : `${path}__${key}`),
    );
  };

  describe.each(steps)('$place', ({ step }) => {
    test('has each field once', () => {
      expect(repeated(plainFields(step).map(({ key }) => key))).toEqual([]);
    });

    test('has each output label once', () => {
      expect(repeated((step.operation.outputFields ?? []).map(({ label }) => label))).toEqual([]);
    });
  });

  test.each(visibleStepsOf(currentApp))('$place declares every key of its sample', ({ step }) => {
    const { outputFields = [], sample } = step.operation;
    const holdsNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
    const isDeclared = ({ path, value }: Leaf) =>
      outputFields.some(
        ({ key, type }) =>
          key === path ||
          (!type && path.startsWith(`${key}__`)) ||
          (holdsNothing(value) && [`${path}__`, `${path}[]`].some((start) => key.startsWith(start))),
      );
    expect(leavesOf(sample).filter((leaf) => !isDeclared(leaf))).toEqual([]);
  });

  test('no sample has template variables or custom details, which differ between workspaces', () => {
    const paths = steps.flatMap(({ place, step }) =>
      leavesOf(step.operation.sample).map(({ path }) => `${place} ${path}`),
    );
    expect(paths.filter((path) => /(variables|attributes)__/.test(path))).toEqual([]);
  });

  test('every field of a form with sections is in one of them', async () => {
    for (const { step } of stepsOf(await expandForms())) {
      const { inputFieldGroups } = z
        .looseObject({ inputFieldGroups: z._default(z.array(z.object({ key: z.string() })), []) })
        .parse(step.operation);
      const groups = new Set(inputFieldGroups.map(({ key }) => key));
      expect(new Set(plainFields(step).flatMap(({ group }) => (groups.size > 0 || group ? [group] : [])))).toEqual(
        groups,
      );
    }
  });

  const source = join(__dirname, '../src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

  test('no file of src is over 300 lines, except the tables of src/api', () => {
    const long = files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 301);
    expect(long.filter((file) => !file.startsWith('api'))).toEqual([]);
  });
});

describe('texts', () => {
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

  /** Words that only developers know. */
  const jargon =
    /\b(endpoint|payload|json|bool(ean)?|string|integer|float|array|object|null|undefined|param(eter)?|argument|schema|enum|regex|callback|webhook|http|uuid|utc|iso|timestamp|idempoten\w+|dedupe|async\w*)s?\b/i;

  /** What people look for in the list of steps. */
  const typedWords = ['whatsapp', 'sms', 'tag', 'opt out', 'broadcast', 'photo', 'unanswered'];

  const likelyLoops = ['message_sent', 'message_status_updated', 'new_contact'];

  const isLoopNote = (field: FieldOfApp | undefined): boolean =>
    field?.type === 'copy' && /\bto prevent loops\b/i.test(field.helpText ?? '');

  /** What lets a reader choose the right step and fill in its fields from its words alone, be it a person or a machine. */
  const rules: Omit<Check, 'id'>[] = [
    {
      says: "what deletes or reaches many says once that it can't be undone, and what else there is doesn't",
      find: (app) =>
        stepsOf(app)
          .filter(({ step }) => {
            const { key, display } = step;
            const said = [display.description, ...plainFields(step).map(({ helpText = '' }) => helpText)].join(' ');
            return said.split("can't be undone").length - 1 !== (/^(delete|start)_/.test(key) ? 1 : 0);
          })
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
      says: 'a trigger that a Zap is likely to start itself says how to prevent loops',
      find: (app) =>
        visibleStepsOf(app)
          // The limit of the actions that send is the net for the others.
          .filter(({ kind, step: { key } }) => kind === 'triggers' && likelyLoops.includes(key))
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
      // The list of contacts differs from the search for one as its name says.
      says: 'no two steps have one label, or differ by the letter s, except Find Contacts',
      find: (app) =>
        repeated(
          displays(app).map(({ place, label }) => [
            place,
            label === 'Find Contacts' ? label : label.replace(/s\b/g, ''),
          ]),
        ),
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
          .filter((text) => jargon.test(text[1]))
          .map(([place]) => place),
    },
  ];

  test.each(rules)('$says, also in fields that depend on a choice', async ({ find }) => {
    expect(find(await expandForms())).toEqual([]);
  });

  test.each(textRules)('$says: in every text of the product', async ({ breach, example }) => {
    expect(example).toMatch(breach);
    const all = await listTexts();
    expect(Object.keys(Object.groupBy(all, ({ what }) => what.replace(/^.*: /, '')))).toEqual(
      expect.arrayContaining(['label', 'description', 'help', 'note', 'choice', 'result', 'error', 'page', 'command']),
    );
    expect(all.filter(({ text }) => breach.test(text.replaceAll(/`[^`]*`/g, 'x')))).toEqual([]);
  });

  test.each(documents)('$path keeps the rules for words', ({ prose }) => {
    const breaches = textRules.flatMap(({ says, breach }) =>
      prose.filter((text) => breach.test(text)).map((text) => ({ says, text })),
    );
    expect(breaches).toEqual([]);
  });
});

describe('agents', () => {
  const guide = readFileSync(join(project, 'docs/agents.md'), 'utf8');
  const rows = guide.split('\n').filter((line) => line.startsWith('| '));

  test.each(visibleStepsOf(currentApp).filter(({ kind }) => kind !== 'triggers'))(
    '$place: the guide for agents says once whether it is safe',
    ({ step }) => {
      const cells = rows.flatMap((row) => (row.split('|')[1] ?? '').split(',').map((name) => name.trim()));
      expect(cells.filter((name) => name === step.display.label)).toHaveLength(1);
    },
  );

  test('the guide for agents names only scopes and keys that exist', () => {
    const steps = visibleStepsOf(currentApp).flatMap(({ step }) => plainFields(step).map(({ key }) => key));
    const tools = ['discover_', 'enable_', 'execute_zapier_write_action', 'inputDataRaw'];
    const known: string[] = [
      ...vocabulary.scope,
      ...steps,
      ...tools,
      'variables',
      'max_recipients',
      '2026-06-12T19:00:00-07:00',
    ];
    const named = [...guide.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((code) => !known.includes(code))).toEqual([]);
  });

  test('the fields of an empty form, which is all that an agent lists, take the values of any template', async () => {
    const fields = await runStep('creates.send_message.operation.inputFields', { authData, inputData: {} });
    expect(fields).toContainEqual(expect.objectContaining({ key: 'variables', dict: true }));
  });
});

describe('dependencies', () => {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

  test('Zapier installs only core', () => {
    expect(Object.keys(dependencies)).toEqual(['zapier-platform-core']);
  });

  test('every package in the lockfile has an integrity hash', () => {
    expect(packages.filter(([, entry]) => !('integrity' in entry)).map(([path]) => path)).toEqual([]);
  });

  test('no package runs an install script', () => {
    const withScripts = packages.flatMap(([path, entry]) =>
      'hasInstallScript' in entry ? path.replace(/^.*node_modules\//, '') : [],
    );
    const denied = [...new Set(withScripts)].map((name) => [name, false]);
    expect(allowScripts).toEqual(Object.fromEntries(denied));
  });
});

describe('reachability', () => {
  const results = visibleStepsOf(currentApp).flatMap(({ place, step }) => {
    const keys = (step.operation.outputFields ?? []).map(({ key }) => key);
    const isAboutPerson = keys.includes('contact__phone') || keys.includes('phone');
    // A step that sends knows the number from its form.
    const sends = plainFields(step).some(({ key }) => key === 'to');
    return isAboutPerson && !sends ? [{ place, keys, sample: step.operation.sample }] : [];
  });

  test('every result about a person declares it, and has it in its sample', () => {
    expect(results.length).toBeGreaterThanOrEqual(16);
    for (const { place, keys, sample } of results) {
      expect([place, keys.includes('has_phone_number'), typeof sample.has_phone_number]).toEqual([
        place,
        true,
        'boolean',
      ]);
    }
  });

  test.each([
    ['+12025550123', true],
    ['US.13491208655302741918', false],
    [null, false],
  ])('says of the number %j: %s', async (phone, has_phone_number) => {
    const { id } = contact.sample;
    expectCall('getContact', { id }).reply(200, { ...contact.sample, phone });
    const found = await runStep('searches.find_contact.operation.perform', { authData, inputData: { contact: id } });
    expect(found).toEqual([expect.objectContaining({ has_phone_number })]);
  });
});
