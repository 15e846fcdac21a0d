/** What every step returns from the sandbox: as Zapier's checks want it, and without secrets. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { project } from '../lab/cli/environment';
import { plainFields, visibleStepsOf } from '../lab/zapier/core/app-definition';
import { currentApp, expandForms } from '../scripts/docs/definition';
import { drawLogo } from '../scripts/logo';
import { brand } from '../src/brand';
import { type Recording, recordEveryStep } from './end-to-end/recordings';
import { copyRules } from './support/copy-rules';
import { brokenPromises, checks, unclearMoments } from './support/integration-checks';
import { Running } from './support/running';
import { runStep, startZapier, type Zapier } from './support/zapier';

describe('publishing', () => {
  const docs = join(project, 'docs');

  test.each(checks)('$id: $says, also in fields that depend on a choice', async ({ find }) => {
    expect([...find(currentApp), ...find(await expandForms())]).toEqual([]);
  });

  test.each(copyRules)('$says, also in fields that depend on a choice', async ({ find }) => {
    expect([...find(currentApp), ...find(await expandForms())]).toEqual([]);
  });

  const addressFields = currentApp.authentication.fields.filter(({ key }) => /url|domain|host/.test(key));

  // test/call/connection.test.ts has each kind of address.
  test('D026: refuses an address that others can read as the API Base URL', async () => {
    expect(addressFields.map(({ key }) => key)).toEqual(['base_url']);
    const authData = { base_url: 'http://service.test', api_token: 'tok_publishing', ai_agents: 'everything' };
    await expect(runStep('authentication.test', { authData })).rejects.toThrow('API Base URL: ');
  });

  test('M002: the description is one sentence of 40 to 140 characters that names the service', () => {
    const { name, description } = brand;
    expect(description).toMatch(/^.{39,139}\.$/);
    expect(description.startsWith(`${name} is a`)).toBe(true);
    expect(description).not.toMatch(/zapier|sync/i);
  });

  const logo = readFileSync(join(docs, 'logo.png'));

  const readPixels = (picture: Uint8Array): Promise<Buffer> => sharp(picture).raw().toBuffer();

  test('M004: the logo is a square RGBA PNG of 512 pixels with transparent corners', async () => {
    const { format, width, height, channels } = await sharp(logo).metadata();
    expect({ format, width, height, channels }).toEqual({ format: 'png', width: 512, height: 512, channels: 4 });
    const pixels = await readPixels(logo);
    const corners = [0, width - 1, width * (height - 1), width * height - 1];
    expect(corners.map((pixel) => pixels[pixel * 4 + 3])).toEqual([0, 0, 0, 0]);
  });

  test('M004: the logo is rendered from docs/logo.svg, which has no text', async () => {
    expect((await readPixels(logo)).equals(await readPixels(await drawLogo()))).toBe(true);
    expect(readFileSync(join(docs, 'logo.svg'), 'utf8')).not.toMatch(/<(text|image|foreignObject)/);
  });

  /** Lists the paths that a later step can map. */
  const keysOf = (value: unknown, place = ''): string[] => {
    if (Array.isArray(value)) return keysOf(value[0], place);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) => [place + key, ...keysOf(inner, `${place}${key}.`)]);
  };

  describe('with the results of every step', () => {
    const running = new Running();
    let zapier: Zapier;
    let recordings: Recording[];

    beforeAll(async () => {
      zapier = await startZapier({
        authData: { base_url: running.url, api_token: running.sandbox.tokens.advanced, ai_agents: 'everything' },
      });
      recordings = await recordEveryStep(running, zapier);
    });

    afterAll(() => zapier.stop());

    const visible = visibleStepsOf(currentApp);
    const triggers = visible.filter(({ kind }) => kind === 'triggers');
    const polled = triggers.filter(({ step }) => step.operation.type === 'polling');
    const instant = triggers.filter(({ step }) => step.operation.type === 'hook');

    const recordingOf = (place: string): Recording => {
      const found = recordings.find((recording) => recording.place === place);
      if (!found)
        throw new Error(`Say in \`listCauses\` of test/runs.ts what starts ${place}, or add a run of it there.`);
      return found;
    };

    test.each(polled)('T002: every result of $place has a unique id', ({ place }) => {
      const ids = recordingOf(place).live.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(1);
      expect(ids.every(Boolean)).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
    });

    test.each(visible)('T003: dates and times in results of $place are ISO 8601 with a zone', ({ place }) => {
      expect(recordingOf(place).live.flatMap((record) => unclearMoments(record, place))).toEqual([]);
    });

    test.each(visible)('T004: a live result of $place has every key of its sample', ({ place, step }) => {
      const [live] = recordingOf(place).live;
      expect(keysOf(live)).toEqual(expect.arrayContaining(keysOf(step.operation.sample)));
    });

    // A Zap chooses the status that starts Message Status Updated.
    const fixed = visible.filter(
      ({ kind, step }) => kind !== 'searches' && !plainFields(step).some(({ key }) => key === 'statuses'),
    );

    test.each(fixed)('the sample of $place has the status and the empty fields of a live result', ({ place, step }) => {
      const [live] = recordingOf(place).live;
      const { sample } = step.operation;
      const emptyTimes = (record: object) =>
        Object.entries(record).flatMap(([key, value]) => (/_at$/.test(key) && value === null ? key : []));
      expect(sample.status).toEqual(live?.status);
      expect(emptyTimes(sample)).toEqual(emptyTimes(live ?? {}));
    });

    test.each(visible)('T005: results of $place match the output fields', ({ place, step }) => {
      expect(recordingOf(place).live.flatMap((record) => brokenPromises(record, step, place))).toEqual([]);
    });

    test.each(instant)('T006: a payload of $place has every key of its test results', ({ place }) => {
      const { live, tested } = recordingOf(place);
      expect(tested.length).toBeGreaterThan(0);
      expect(Object.keys(live[0] ?? {})).toEqual(expect.arrayContaining([...new Set(tested.flatMap(Object.keys))]));
    });

    /** The statuses that a record can have reached by the time that the test step lists it. */
    const laterStatuses: Record<string, string[]> = {
      sent: ['queued', 'delivered', 'read', 'failed'],
      sending: ['completed'],
    };

    test.each(instant)(
      '$place starts with the real thing, and lists records with its status and direction',
      ({ place }) => {
        const { live, tested, like = {} } = recordingOf(place);
        expect(live[0]).toMatchObject(like);
        const [{ status, direction } = {}] = live;
        const statuses = [status, ...(laterStatuses[String(status)] ?? [])];
        expect(tested.filter((record) => record.direction !== direction)).toEqual([]);
        expect(tested.filter((record) => !statuses.includes(record.status))).toEqual([]);
      },
    );

    test.each(instant)('Z001: test results of $place match the output fields', ({ place, step }) => {
      expect(recordingOf(place).tested.flatMap((record) => brokenPromises(record, step, place))).toEqual([]);
    });
  });

  const workflows = readdirSync(join(project, '.github/workflows'));

  test.each(workflows)('the workflow %s pins its actions, only reads, and keeps no credentials', (file) => {
    const text = readFileSync(join(project, '.github/workflows', file), 'utf8');
    const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(actions).toEqual(actions.map(() => expect.stringMatching(/^actions\/[\w-]+@[0-9a-f]{40}$/)));
    expect(text.match(/permissions:\n.+\n/g)).toEqual(['permissions:\n  contents: read\n']);
    expect(text.match(/persist-credentials: .+/g)).toEqual(
      actions.filter((action) => action?.startsWith('actions/checkout@')).map(() => 'persist-credentials: false'),
    );
  });

  test('a release is built from a tag on main, and the job with the deploy key builds nothing', () => {
    const [, build = '', upload = ''] = readFileSync(join(project, '.github/workflows/push.yml'), 'utf8').split(
      /^ {2}(?:build|upload):$/m,
    );
    expect(build).toContain('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
    expect(build).toContain('.ci/run');
    expect(build).not.toContain('secrets.');
    expect(upload).toContain('secrets.ZAPIER_DEPLOY_KEY');
    expect(upload.match(/run: .+/g)).toEqual([
      expect.stringMatching(/^run: npm install --global npm@[\d.]+$/),
      'run: npm ci --ignore-scripts',
      'run: npx --no zapier-platform upload',
    ]);
  });

  /** The app's source, except the brand. */
  const shipped = ['src', 'triggers', 'creates', 'searches']
    .flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && file !== 'src/brand.ts');

  /** A standard, the sources of core and zod, an example of a webhook's receiver and of a customer. */
  const otherAddresses =
    /https:\/\/(www\.standardwebhooks\.com|zod\.dev\/|github\.com\/zapier\/|hooks\.example\.com)|noor[\w.]*@example\.com/g;

  test('no file of the app but src/brand.ts has the name and addresses of the service', () => {
    const naming = shipped.filter((file) => {
      const text = readFileSync(join(project, file), 'utf8').replaceAll(otherAddresses, '');
      return text.includes(brand.name) || /https?:\/\/[\w-]+\.[\w.-]+|[\w.-]+@[\w-]+\.\w+/.test(text);
    });
    expect(naming).toEqual([]);
  });

  test('every address of the brand is an https URL or an email address', () => {
    for (const address of [brand.homepage, brand.app, brand.help, brand.tokenPage, brand.api])
      expect(new URL(address).protocol).toBe('https:');
    for (const address of [brand.support, brand.maintainers]) expect(address).toMatch(/^\S+@\S+\.\S+$/);
    expect(brand.maintainers).not.toBe(brand.support);
  });
});
