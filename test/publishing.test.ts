import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PNG } from 'pngjs';
import { runStep, startZapier, type Zapier } from '../sandbox/zapier';
import { present, presentInFull, visibleStepsOf } from '../scripts/docs/definition';
import { drawLogo } from '../scripts/logo';
import { brand } from '../src/brand';
import { copyRules } from './copy-rules';
import { type Recording, recordEveryStep } from './end-to-end/recordings';
import { brokenPromises, checks, unclearMoments, withParts } from './integration-checks';
import { Running } from './sandbox/running';

const project = resolve(__dirname, '..');
const docs = join(project, 'docs');

describe.each(checks)('$id: $says', ({ find, broken }) => {
  test('holds, also for fields that a choice brings up', async () => {
    expect([...find(present), ...find(await presentInFull())]).toEqual([]);
  });

  test('is seen when it does not hold', () => {
    expect(find(withParts(present, broken))).not.toEqual([]);
  });
});

describe.each(copyRules)('copy: $says', ({ find, broken }) => {
  test('holds', () => {
    expect(find(present)).toEqual([]);
  });

  test('is seen when it does not hold', () => {
    expect(find(withParts(present, broken))).not.toEqual([]);
  });
});

const addressFields = present.authentication.fields.filter(({ key }) => /url|domain|host/.test(key));

test.each([
  'http://service.test',
  'https://me:secret@service.test',
  'https://service.test/?to=elsewhere',
  'https://service.test#elsewhere',
  'https://metadata.internal',
  'javascript:alert(1)',
])('D026: an address that a person enters is checked by hand, so %s is refused', async (address) => {
  expect(addressFields.map(({ key }) => key)).toEqual(['base_url']);
  const authData = { base_url: address, api_token: 'token' };
  await expect(runStep('authentication.test', { authData })).rejects.toThrow('API Base URL: ');
});

/** What is wrong with a description in the app directory (M002). */
const faults = (name: string, description: string): string[] => [
  ...(description.startsWith(`${name} is a`) ? [] : ['beginning']),
  ...(description.length >= 40 && description.length <= 140 ? [] : ['length']),
  ...(/zapier|sync/i.test(description) ? ['words'] : []),
  ...(description.endsWith('.') ? [] : ['end']),
];

test('M002: the description says in one sentence what the service is', () => {
  expect(faults(brand.name, brand.description)).toEqual([]);
});

test.each([
  ['The best way to write to customers on every channel there is.', 'beginning'],
  ['Acme is a chat.', 'length'],
  [`Acme is a ${'very '.repeat(30)}long story.`, 'length'],
  ['Acme is a service that lets Zapier users write to their customers.', 'words'],
  ['Acme is a platform for writing to customers on messaging apps', 'end'],
])('M002: "%s" would not do (%s)', (description, fault) => {
  expect(faults('Acme', description)).toContain(fault);
});

/** What is wrong with a logo (M004). */
const logoFaults = (png: Buffer): string[] => {
  const { width, height, colorType, data } = PNG.sync.read(png);
  const corners = [0, width - 1, width * (height - 1), width * height - 1];
  return [
    ...(width === height ? [] : ['not square']),
    ...(Math.min(width, height) >= 256 ? [] : ['small']),
    ...(colorType === rgba ? [] : ['not RGBA']),
    ...(corners.every((pixel) => data[pixel * 4 + 3] === 0) ? [] : ['not transparent']),
  ];
};

const rgba = 6;
const rgb = 2;

const logo = readFileSync(join(docs, 'logo.png'));

test('M004: the logo is a square RGBA PNG of 512 pixels with a transparent background', () => {
  expect(logoFaults(logo)).toEqual([]);
  expect(PNG.sync.read(logo).width).toBe(512);
});

test.each([
  ['not square', { width: 512, height: 300 }, 0, rgba],
  ['small', { width: 128, height: 128 }, 0, rgba],
  ['not RGBA', { width: 512, height: 512 }, 0, rgb],
  ['not transparent', { width: 512, height: 512 }, 255, rgba],
] as const)('M004: a logo that is %s would not do', (fault, size, opacity, colorType) => {
  const png = new PNG(size);
  png.data.fill(opacity);
  expect(logoFaults(PNG.sync.write(png, { colorType }))).toContain(fault);
});

test('M004: the logo is what docs/logo.svg gives, which has no text', async () => {
  expect(PNG.sync.read(logo).data.equals(PNG.sync.read(Buffer.from(await drawLogo())).data)).toBe(true);
  expect(readFileSync(join(docs, 'logo.svg'), 'utf8')).not.toMatch(/<(text|image|foreignObject)/);
});

/** What a next step can map, by the names it has there; people's own names for things are no names of ours. */
const keysOf = (value: unknown, place = ''): string[] => {
  if (Array.isArray(value)) return keysOf(value[0], place);
  if (typeof value !== 'object' || value === null || /(variables|attributes)\.$/.test(place)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [place + key, ...keysOf(inner, `${place}${key}.`)]);
};

describe('with what came of running every step', () => {
  const running = new Running();
  let zapier: Zapier;
  let recordings: Recording[];

  beforeAll(async () => {
    zapier = await startZapier({ base_url: running.url, api_token: running.sandbox.tokens.advanced });
    recordings = await recordEveryStep(running, zapier);
  });

  afterAll(() => zapier.stop());

  const visible = visibleStepsOf(present);
  const triggers = visible.filter(({ kind }) => kind === 'triggers');
  const polled = triggers.filter(({ step }) => step.operation.type === 'polling');
  const instant = triggers.filter(({ step }) => step.operation.type === 'hook');

  const recordingOf = (place: string): Recording => {
    const found = recordings.find((recording) => recording.place === place);
    if (!found) throw new Error(`${place} was not run. Add it to test/end-to-end.`);
    return found;
  };

  test.each(polled)('T002: what $place gives has an id of its own each time', ({ place }) => {
    const ids = recordingOf(place).live.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1);
    expect(ids.every(Boolean)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(visible)('T003: dates and times that $place gives are ISO 8601 with a zone', ({ place }) => {
    expect(recordingOf(place).live.flatMap((record) => unclearMoments(record, place))).toEqual([]);
  });

  test.each(visible)('T004: whatever the example of $place has, a live result has too', ({ place, step }) => {
    const [live] = recordingOf(place).live;
    expect(keysOf(live)).toEqual(expect.arrayContaining(keysOf(step.operation.sample)));
  });

  test.each(triggers)('T005: what $place gives keeps to the output fields', ({ place, step }) => {
    expect(recordingOf(place).live.flatMap((record) => brokenPromises(record, step, place))).toEqual([]);
  });

  test.each(instant)('T006: whatever the test of $place shows, a delivery has too', ({ place }) => {
    const { live, tested } = recordingOf(place);
    expect(tested.length).toBeGreaterThan(0);
    expect(Object.keys(live[0] ?? {})).toEqual(expect.arrayContaining([...new Set(tested.flatMap(Object.keys))]));
  });

  test.each(instant)('Z001: what the test of $place shows keeps to the output fields', ({ place, step }) => {
    expect(recordingOf(place).tested.flatMap((record) => brokenPromises(record, step, place))).toEqual([]);
  });
});

/** What ships, but for the brand itself and the invented examples of the contract. */
const shipped = ['src', 'triggers', 'creates', 'searches']
  .flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.ts') && !['src/brand.ts', 'src/api/resources.ts'].includes(file));

test.each(shipped)('%s names neither the service nor an address of it: that is for src/brand.ts', (file) => {
  const text = readFileSync(join(project, file), 'utf8').replaceAll('https://www.standardwebhooks.com', '');
  expect(text).not.toContain(brand.name);
  expect(text).not.toMatch(/https?:\/\/[\w-]+\.[\w.-]+|[\w.-]+@[\w-]+\.\w+/);
});

test('every address of the brand is one that a person can open', () => {
  for (const address of [brand.homepage, brand.help, brand.tokenPage, brand.api])
    expect(new URL(address).protocol).toBe('https:');
  expect(brand.support).toMatch(/^\S+@\S+\.\S+$/);
});
