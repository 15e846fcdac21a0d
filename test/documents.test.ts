/** What the documents say, compared with the app. */

import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { parseSync } from '@swc/core';
import * as z from 'zod/mini';
import { creates } from '../creates';
import { project } from '../lab/cli/environment';
import { recipes } from '../lab/recipes';
import { visibleStepsOf } from '../lab/zapier/core/app-definition';
import { currentApp, expandForms } from '../scripts/docs/definition';
import { renderDocs } from '../scripts/docs/main';
import { recordStepRequests, type StepRequests } from '../scripts/docs/requests';
import { refusalMessages, renderTroubleshooting } from '../scripts/docs/troubleshooting';
import { renderFiles } from '../scripts/listing/main';
import { listProblems } from '../scripts/listing/problems';
import { renderTemplate, templates } from '../scripts/listing/templates';
import { searches } from '../searches';
import { endpoints } from '../src/api/endpoints';
import { exists } from '../src/api/missing';
import { missing } from '../src/api/service';
import type { EndpointName } from '../src/api/transport';
import { brand as currentBrand } from '../src/brand';
import { parsePhoneNumber } from '../src/message/phone';
import { goneSteps, needsOf } from '../src/step/register';
import { triggers } from '../triggers';
import { listRuns } from './runs';
import { documents, toAnchor } from './support/documents';
import { skipPauses } from './support/pauses';
import { exampleRecords } from './support/records';
import { startSeeded } from './support/seeded';

// Documents leave out what the service lacks.
jest.unmock('../src/api/service');
jest.unmock('../src/api/connection');

let recorded: StepRequests[] = [];

skipPauses();

beforeAll(async () => {
  recorded = await recordStepRequests(await expandForms(), startSeeded);
});

describe('pages', () => {
  test('the generated documents are up to date (run `npm run docs`)', async () => {
    for (const [path, text] of Object.entries(await renderDocs(recorded))) {
      expect(readFileSync(join(project, path), 'utf8')).toBe(text);
    }
  });

  test.each(['faq', 'how-to', 'troubleshooting'])('the list at the top of docs/%s.md has every section', (name) => {
    const text = readFileSync(join(project, `docs/${name}.md`), 'utf8');
    const sections = text.match(/(?<=^## ).+/gm) ?? [];
    expect(sections.length).toBeGreaterThan(5);
    expect(sections.filter((section) => !text.includes(`](#${toAnchor(section)})`))).toEqual([]);
  });

  /** The pages for people who build Zaps, which a help center can publish as they are. */
  const forBuilders = documents.filter(({ path }) =>
    /^docs\/(?:first-zap|recipes|how-to|faq|troubleshooting|reference|agents|whatsapp)\.md$/.test(path),
  );

  test.each(forBuilders)('$path has no command, no path, and no link to a page for developers', (page) => {
    const pages = ['', ...forBuilders.map(({ path }) => path.slice('docs/'.length))];
    const leadsAway = (link: string) =>
      !/^(?:https:|pictures\/)/.test(link) && !pages.includes(link.split('#')[0] ?? '');
    expect([...page.blocks, ...page.paths, ...page.places, ...page.links.filter(leadsAway)]).toEqual([]);
    expect(page.prose.filter((text) => /\b(?:npm|npx|src|TypeScript)\b/.test(text))).toEqual([]);
  });

  test.each(documents)('$path links to no placeholder of src/brand.ts', ({ links }) => {
    expect(links.filter((link) => /\bexample\.com\b/.test(link))).toEqual([]);
  });
});

describe('the number of requests', () => {
  const lists = ['listMessages', 'listConversations', 'listCampaigns'] as const;

  /** Calls that a step makes only if the service has them. */
  const optional: Record<string, EndpointName[]> = {
    ...Object.fromEntries(
      Object.values(triggers).map(({ key }): [string, EndpointName[]] => [
        key,
        ['listWebhooks', ...lists.filter((list) => list.toLowerCase().includes(key.split('_')[0] ?? ''))],
      ]),
    ),
    new_contact: [],
    contact_opted_out: [],
    send_message: ['listTemplates'],
    send_message_and_wait: ['listTemplates', 'listWebhooks'],
    start_campaign: ['listTemplates'],
    find_contact: ['getContact'],
  };

  /** The requests of triggers and of the connection, in each situation. */
  const general = new Map([
    ['the connection is tested', 1],
    ['the Zap is turned on', 1],
    ['an event arrives', 0],
    ['the test step', 2],
    ['the Zap is turned off', 1],
    ['a page of the dropdown', 1],
  ]);

  test('every step makes as many requests as its run in test/runs.ts says', async () => {
    const runs = listRuns(exampleRecords);
    expect(recorded.length).toBeGreaterThan(runs.length);
    const differing = recorded.flatMap(({ key, when, requests }) => {
      const run = runs.find((each) => each.place.endsWith(`.${key}`) && each.when === when);
      const expected = run?.requests ?? general.get(when);
      const difference = `${key} (${when}) makes ${requests.length} requests (${requests.join(', ')}), not ${expected}`;
      // A step does without a call that the service lacks, and reads more pages without a filter.
      const isLess = missing.calls.length > 0 && requests.length < Number(expected);
      const isMore = missing.filters.length > 0 && requests.length > Number(expected);
      return requests.length === expected || isLess || isMore ? [] : difference;
    });
    expect(differing).toEqual([]);
  });

  test('a step makes the calls that it needs, and others only if the service has them', async () => {
    // A field is a dropdown only if the service lists its choices.
    const running = recorded.filter(({ when }) => when !== 'a page of the dropdown');
    const runs = Map.groupBy(running, ({ key }) => key);
    runs.delete('authentication');
    const made = [...runs].map(([key, all]) => [key, [...new Set(all.flatMap(({ requests }) => requests))].toSorted()]);
    const steps = Object.entries({ ...triggers, ...creates, ...searches });
    const declared = steps.map(([key, step]) => {
      const calls = needsOf(step).filter((need) => Object.hasOwn(endpoints, need));
      return [key, [...calls, ...(optional[key] ?? []).filter(exists)].toSorted()];
    });
    expect(Object.fromEntries(made)).toEqual(Object.fromEntries(declared));
  });
});

describe('troubleshooting', () => {
  const page = 'scripts/docs/pages/troubleshooting.md';

  const rendered = renderTroubleshooting();

  /** The sections of the page that explain messages. The others are about symptoms without a message. */
  const sections = rendered
    .split(/^(?=##+ )/m)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const messages = lines.flatMap((line) => /^> - (.+)/.exec(line)?.[1] ?? []);
      const isWhole = lines.some((line) => /\*\*What to do:\*\* .{10}/.test(line));
      return { title: heading.replace(/^#+ /, ''), messages, isWhole };
    })
    .filter(({ messages }) => messages.length > 0);
  const messages = sections.flatMap((section) => section.messages);

  /** The messages of steps that aren't for developers. */
  const forEveryone = rendered.split('\n').flatMap((line) => /^> - (.+)/.exec(line)?.[1] ?? []);

  /** A sentence that tells the reader to do something, or what Zapier does without them. */
  const nextStep =
    /(?:^|[.:,] (?:or |then )?|\b(?:so you can|but you can|and|so) )(?:add|answer|check|choose|clear|contact|copy|correct|create|do|enter|fill|keep|leave|load|look|map|number|open|reconnect|remove|read|replay|run|shorten|start|turn|try again|upgrade|use|wait|write)\b|\bZapier retries\b|\b(?:They must|must start with)\b/i;

  const forCodes = refusalMessages().flatMap(([, each]) => each);

  const text = z.union([
    z.object({ type: z.literal('StringLiteral'), value: z.string() }),
    z.object({ type: z.literal('TemplateLiteral'), quasis: z.array(z.object({ cooked: z.string() })) }),
  ]);

  /** A call of a function that makes an error for the user, with the message as its first argument. */
  const errorCall = z.object({
    type: z.literal('CallExpression'),
    callee: z.object({
      type: z.literal('Identifier'),
      value: z.enum(['halt', 'fail', 'reconnect', 'refuse', 'failedCall']),
    }),
    arguments: z.tuple([z.object({ expression: text })], z.unknown()),
  });

  const needed = ['CallExpression', 'StringLiteral', 'TemplateLiteral'];

  /** Adds the calls and texts in a syntax tree. */
  const addNodes = (value: unknown, nodes: object[]): object[] => {
    if (typeof value !== 'object' || value === null) return nodes;
    if ('type' in value && needed.includes(String(value.type))) nodes.push(value);
    for (const inner of Object.values(value)) addNodes(inner, nodes);
    return nodes;
  };

  const escapePattern = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

  /** Returns the fixed parts of the message: other text takes the place of each `${…}`. */
  const partsOf = (expression: z.output<typeof text>): string[] =>
    expression.type === 'StringLiteral' ? [expression.value] : expression.quasis.map(({ cooked }) => cooked);

  const nodesOf = (file: string): object[] =>
    addNodes(parseSync(readFileSync(join(project, file), 'utf8'), { syntax: 'typescript' }), []);

  const textsIn = (nodes: object[]): string[] =>
    nodes.flatMap((node) => ('value' in node && typeof node.value === 'string' ? node.value : []));

  const sourceNodes = ['src', 'triggers', 'creates', 'searches'].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => nodesOf(join(folder, file))),
  );

  const raised = sourceNodes.flatMap((node) => {
    const { data } = 'callee' in node ? errorCall.safeParse(node) : {};
    if (!data) return [];
    const parts = partsOf(data.arguments[0].expression);
    const pattern = new RegExp(parts.map(escapePattern).join('.*'));
    return { text: parts.join('…'), pattern, fixedLength: parts.join('').length };
  });

  /** Parts of messages that take the place of a `${…}`, such as "Nothing was sent or changed, so you can try again later." */
  const phrases = textsIn(sourceNodes).filter((each) => each.length > 20);

  const isRaised = (message: string): boolean =>
    raised.some(({ pattern, fixedLength }) => fixedLength > 25 && pattern.test(message)) ||
    phrases.some((phrase) => message.includes(phrase));

  /** Messages about fields of the connection, which an account has only after an adaptation. Its page shows them. */
  const afterAdapting = readFileSync(join(project, 'docs/adapting.md'), 'utf8').match(/^> The Sender .+$/gm) ?? [];

  test('the page explains every message that the app raises', () => {
    expect(raised.length).toBeGreaterThan(40);
    const explained = [...messages, ...afterAdapting];
    const unexplained = raised.filter(({ pattern }) => !explained.some((message) => pattern.test(message)));
    expect(unexplained.map(({ text }) => `Explain this message in ${page}: ${text}`)).toEqual([]);
  });

  test('the page has every advice after a call that failed', () => {
    const advice = textsIn(nodesOf('src/call/failure.ts')).filter((each) => each.endsWith('.'));
    expect(advice.length).toBeGreaterThan(5);
    const missing = advice.filter((sentence) => !messages.some((message) => message.includes(sentence)));
    expect(missing.map((sentence) => `Add a message with this advice to ${page}: ${sentence}`)).toEqual([]);
  });

  test('the page has a message for every error code of the API', () => {
    const missing = refusalMessages().filter(([, each]) => !each.every((message) => messages.includes(message)));
    expect(missing.map(([code]) => `Explain {{messages ${code}}} in ${page}.`)).toEqual([]);
  });

  test('the page has no message that nothing raises', () => {
    const unknown = messages.filter(
      (message) => !forCodes.includes(message) && !/\(status \d+\)/.test(message) && !isRaised(message),
    );
    expect(unknown.map((message) => `Nothing raises this message, so remove it from ${page}: ${message}`)).toEqual([]);
  });

  test('no message has a word that only developers know', () => {
    expect(forEveryone.length).toBeGreaterThan(120);
    const words =
      /\b(?:payload|json|webhook|subscri\w+|signing|secret|endpoint|callback|timestamp|schema|null|array|string|parameter|argument|by position)s?\b/i;
    // Support knows a signing secret by this name, and whoever maps JSON sees its braces.
    const shown = (message: string) => message.replaceAll(/"[^"]*"|\bsigning secret\b|\bin JSON\b/g, '');
    expect(forEveryone.filter((message) => words.test(shown(message)))).toEqual([]);
  });

  test('every message says what to do next', () => {
    expect('Your parcel was lost.').not.toMatch(nextStep);
    expect(messages.filter((message) => !nextStep.test(message))).toEqual([]);
  });

  test('every section about a message says what to do', () => {
    const halves = sections.filter(({ isWhole }) => !isWhole);
    expect(halves.map(({ title }) => `"${title}" in ${page} needs a sentence after **What to do:**.`)).toEqual([]);
  });

  test('no message is longer than Zapier shows, and no two problems have one heading', () => {
    expect(messages.filter((message) => message.length > 250)).toEqual([]);
    expect(new Set(sections.map(({ title }) => title)).size).toBe(sections.length);
  });
});

describe('the listing', () => {
  /** A publisher who has filled in everything. */
  const brand = {
    ...currentBrand,
    name: 'Harbor Post',
    description: 'Harbor Post is a service for talking with customers on messaging apps.',
    color: '#0f6fa8',
  };
  const logo = '<svg><title>A harbor</title></svg>';
  const files = {
    '1-forms.md': '- **Homepage**: https://harbor-post.test',
    'docs/review.md': 'Send a message to +31612345678.',
  };
  const ready = { brand, logo, templates };

  test('a listing that is filled in is ready', () => {
    expect(listProblems(files, ready)).toEqual([]);
  });

  const filled = (line: string) => ({ '2-more.md': line });
  const named = (change: Partial<typeof brand>) => ({ brand: { ...brand, ...change } });
  const about = 'Harbor Post is a service for talking with customers';
  const [long] = templates.map((each) => ({ ...each, description: 'It is long. '.repeat(30) }));

  test.each<[what: string, files: Record<string, string>, sources: object, sentence: string]>([
    ...['https://www.example.com', '+12025550104', '"Weekend parcel points"', 'The address where you publish it'].map(
      (text): [string, Record<string, string>, object, string] => [
        `the placeholder ${text}`,
        filled(`- **Answer**: ${text}`),
        {},
        '2-more.md has the placeholder',
      ],
    ),
    ['the name of the project', {}, named({ name: 'Messaging Service' }), 'is a placeholder'],
    ['a title in lower case', {}, named({ name: 'harbor post' }), 'in title case'],
    ['a short description', {}, named({ description: 'Harbor Post is a service.' }), 'Zapier takes 40 to 140'],
    ['another beginning', {}, named({ description: about.replace('Harbor Post is', 'It is') }), 'start with'],
    ['the name of Zapier', {}, named({ description: `${about} on Zapier.` }), 'name Zapier'],
    ['a color by its name', {}, named({ color: 'blue' }), 'color'],
    ['the logo of the project', {}, { logo: '<svg><desc>Placeholder: replace this.</desc></svg>' }, 'docs/logo.svg'],
    ['a text of a template that is too long', {}, { templates: [long] }, 'characters'],
  ])('names %s', (_what, more, sources, sentence) => {
    const problems = listProblems({ ...files, ...more }, { ...ready, ...sources });
    expect(problems).toContainEqual(expect.stringContaining(sentence));
  });

  test('the folder has a file for each form and template, and the page for reviewers tries every step', async () => {
    const written = renderFiles();
    expect(Object.keys(written).filter((path) => path.startsWith('templates/'))).toHaveLength(templates.length);
    expect(written['2-account.md']).toContain('**API Base URL**');
    const linking = Object.entries(written).filter(([, text]) => /\]\((?!https:)/.test(text));
    expect(linking.map(([path]) => path)).toEqual([]);
    const { 'docs/review.md': review = '' } = await renderDocs(recorded);
    const labels = visibleStepsOf(currentApp).map(({ step }) => step.display.label);
    expect(labels.filter((label) => !review.includes(`| ${label} `))).toEqual([]);
  });

  test('a template prefills data of other apps, and none of the columns and questions that each account names', () => {
    const pages = new Map(templates.map((recipe) => [recipe.name, renderTemplate(recipe)]));
    expect(pages.get('Message for each new order')).toContain('- Prefill Phone Number: {1. Shipping Address Phone}');
    for (const name of ['Message for each new row', 'Contact from a form']) {
      expect([name, pages.get(name)?.includes('- Prefill')]).toEqual([name, false]);
      expect(pages.get(name)).toContain('- Leave to the user: ');
    }
    expect(recipes.length).toBeGreaterThan(templates.length);
  });
});

describe('the README', () => {
  const readme = readFileSync(join(project, 'README.md'), 'utf8');
  const asOneLine = readme.replace(/\s+/g, ' ');

  test('README.md names apps that the ready-made Zaps use', () => {
    const [, named = ''] =
      /\[ready-made Zaps\]\(docs\/recipes\.md\) for apps such as ([^.]+), or look/.exec(asOneLine) ?? [];
    const used = recipes.flatMap(({ steps }) => steps.flatMap((step) => (step.type === 'other' ? step.app : [])));
    expect(named.split(/, | and /).filter((app) => !used.includes(app))).toEqual([]);
  });

  test('README.md quotes an error as the app words it', async () => {
    const error = await parsePhoneNumber('Phone Number', '12', '').catch(String);
    expect(asOneLine).toContain(error.replace(/^\w+: /, ''));
  });
});

const anchorsOf = (path: string): string[] => documents.find((document) => document.path === path)?.anchors ?? [];

/** Whether a link leads to a step that the service lacks. Pages that people write name it until someone takes it out. */
const isOfGone = (link: string): boolean =>
  goneSteps().some(({ key }) => link.endsWith(key) || link.endsWith(`#${key.replaceAll('_', '-')}`));

const isBroken = (from: string, link: string): boolean => {
  const [file = '', anchor] = link.split('#');
  if (isOfGone(link)) return false;
  const path = file ? posix.join(posix.dirname(from), file) : from;
  return !existsSync(join(project, path)) || (anchor !== undefined && !anchorsOf(path).includes(anchor));
};

test.each(documents)('every link in $path leads to a file and a heading that exist', ({ path, links }) => {
  const inside = links.filter((link) => !/^(https|mailto):/.test(link));
  expect(inside.filter((link) => isBroken(path, decodeURI(link)))).toEqual([]);
});

test.each(documents)('every name that $path says is in a file or folder is there', ({ places }) => {
  const isThere = ([name, path]: [string, string]) => {
    const files = statSync(join(project, path)).isFile() ? [path] : globSync(`${path}/**/*.*`, { cwd: project });
    const isWord = new RegExp(`\\b${name}\\b`);
    return files.some((file) => basename(file) === name || isWord.test(readFileSync(join(project, file), 'utf8')));
  };
  expect(places.filter((place) => !isThere(place))).toEqual([]);
});

test.each(documents)('every block of code in $path shows all of its text', ({ blocks }) => {
  expect(blocks.filter(({ info }) => /\s/.test(info.trim()))).toEqual([]);
});

test.each(documents)('every path that $path shows as code exists', ({ paths }) => {
  expect(paths.filter((path) => !existsSync(join(project, path)))).toEqual([]);
});

test('docs/README.md links to every document in docs', () => {
  const pages = documents.filter(({ path }) => dirname(path) === 'docs').map(({ path }) => posix.basename(path));
  const index = documents.find(({ path }) => path === 'docs/README.md');
  expect(index?.links).toEqual(expect.arrayContaining(pages.filter((page) => page !== 'README.md')));
});
