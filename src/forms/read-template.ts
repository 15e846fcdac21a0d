/** Reads the versions of a template on one channel. */
import type { ZObject } from 'zapier-platform-core';
import { endpoints, exists } from '../api/endpoints';
import type { Template } from '../api/resources';
import { call } from '../http/client';
import { readPages } from '../http/read-pages';
import { halt, quote } from '../platform/errors';
import type { TemplateKey } from './template-key';
import { inOrder, isApproved, onChannel } from './template-versions';

/** The number of pages to read. A service that ignores the filter lists all of its templates. */
const maxPages = 50;

/**
 * Returns every version of the template, also those that aren't approved; undefined when the service has no call for it.
 * `label` is what the form calls the field that the template comes from. Throws when not every version can be read, since
 * a message would then go out wrong.
 */
export const listVersions = async (z: ZObject, key: TemplateKey, label: string): Promise<Template[] | undefined> => {
  if (!exists('listTemplates')) return undefined;
  const { records, isComplete } = await readPages(
    (page) => call(z, endpoints.listTemplates, { query: { ...key, ...page }, labels: { name: label, channel: label } }),
    maxPages,
  );
  // A service may ignore the filters.
  if (isComplete) return onChannel(records, key.channel).filter(({ name }) => name === key.name);
  throw halt(
    `${label}: the messaging service lists too many templates to find every text of ${quote(key.name)}, so nothing was sent. Choose another ${label.toLowerCase()}.`,
  );
};

/**
 * Returns the versions of the template that can be sent, at least one; undefined when the service has no call for it.
 * Throws an error that names the field by its `label` when there is none, or when not every version can be read.
 */
export const readTemplate = async (z: ZObject, key: TemplateKey, label: string): Promise<Template[] | undefined> => {
  const versions = await listVersions(z, key, label);
  const approved = versions?.filter(isApproved);
  if (!approved || approved.length > 0) return approved && inOrder(approved);
  const [name, channel] = [quote(key.name), quote(key.channel)];
  const another = `so nothing was sent. Choose another ${label.toLowerCase()}`;
  if (versions?.length === 0) {
    throw halt(`${label}: the channel ${channel} has no template ${name} (capital letters count), ${another}.`);
  }
  throw halt(
    `${label}: the template ${name} isn't approved on the channel ${channel}, ${another}, or wait for the approval.`,
  );
};
