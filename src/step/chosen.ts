/** Reads the values of Channel, Campaign and Contact, which a person may have typed, an earlier step given, or an agent guessed. */
import { isDeepStrictEqual } from 'node:util';
import type { Bundle, InputField, ZObject } from 'zapier-platform-core';
import { endpoints } from '../api/endpoints';
import { exists } from '../api/missing';
import { call } from '../call/call';
import { readList } from '../call/pages';
import { readText } from '../text/fold';
import { listMatches } from './ambiguity';
import { isHalt } from './errors';
import { choose, type InputOf, readInput } from './input';

const readChannel = async (z: ZObject, text: string): Promise<string> => {
  const { records } = await readList((page) => call(z, endpoints.listChannels, { query: page }), { limit: 1_000 });
  return choose(
    'Channel',
    text,
    records.map(({ key, name }) => [key, name || key]),
  );
};

const ambiguity = { label: 'Campaign', plural: 'campaigns', remedy: 'Choose one in its list, or map its ID.' };

const readCampaign = async (z: ZObject, text: string): Promise<string> => {
  // A list may not have all of them.
  if (await call(z, endpoints.getCampaign, { id: text }, { unless: 'gone' })) return text;
  const campaigns = await listMatches((page) => call(z, endpoints.listCampaigns, { query: page }), ambiguity);
  return choose(
    'Campaign',
    text,
    campaigns.map(({ id, name }) => [id, name || id]),
  );
};

/**
 * Returns the key of the channel and the id of the campaign in a form. Throws an error that names the field, and its choices,
 * for any other text, and for a contact that isn't there, since a filter that can't match would find nothing in silence.
 */
export const readChosen = async (z: ZObject, input: object): Promise<{ channel?: string; campaign?: string }> => {
  const read = (key: string) => readText(Reflect.get(input, key));
  const [channel, campaign, contact] = [read('channel'), read('campaign'), read('contact')];
  // The token may lack the scope, since no other part of the step needs it.
  const known = contact && call(z, endpoints.getContact, { id: contact });
  if (known) await known.catch((error: unknown) => (isHalt(error) ? Promise.reject(error) : undefined));
  return {
    ...(channel && exists('listChannels') && { channel: await readChannel(z, channel) }),
    ...(campaign && exists('listCampaigns') && { campaign: await readCampaign(z, campaign) }),
  };
};

/** Returns what a search finds. Reads the channel and the campaign only if it finds nothing, since that takes more requests. */
export const searchChosen = async <I extends object, T>(
  z: ZObject,
  input: I,
  search: (input: I) => Promise<T[]>,
): Promise<T[]> => {
  const found = await search(input);
  if (found.length > 0) return found;
  const chosen = { ...input, ...(await readChosen(z, input)) };
  return isDeepStrictEqual(chosen, input) ? found : search(chosen);
};

/** Returns the function of a search by the input of its form, with the channel and campaign that it means. */
export const searching =
  <const F extends InputField[], T>(
    fields: F,
    search: (z: ZObject, bundle: Bundle, input: InputOf<F>) => Promise<T[]>,
  ) =>
  (z: ZObject, bundle: Bundle): Promise<T[]> =>
    searchChosen(z, readInput(fields, bundle.inputData), (input) => search(z, bundle, input));
