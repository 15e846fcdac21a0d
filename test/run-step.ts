import { type Bundle, createAppTester } from 'zapier-platform-core';
import { findPerform } from '../playground/zapier';
import app from '../src';

type BundleParts = Partial<Omit<Bundle, 'meta'>> & { meta?: Partial<Bundle['meta']> };

const pick = <T>(steps: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(steps).filter(([each]) => each === key));

const createTester = (key: string) =>
  createAppTester({
    ...app,
    triggers: pick(app.triggers, key),
    creates: pick(app.creates, key),
    searches: pick(app.searches, key),
    searchOrCreates: {},
  });

const testers = new Map<string, ReturnType<typeof createTester>>();

const testerOf = (key: string) => {
  const tester = testers.get(key) ?? createTester(key);
  testers.set(key, tester);
  return tester;
};

/**
 * Runs a step on Zapier's core by its path in the app, such as `creates.send_message.operation.perform`. The app has no
 * other step, because core copies the whole definition for every run, which takes most of the time of a test.
 */
export const runStep = async (path: string, { meta = {}, ...bundle }: BundleParts = {}): Promise<unknown> =>
  testerOf(path.split('.')[1] ?? '')<unknown, Bundle>(findPerform(path), { inputData: {}, ...bundle, meta });
