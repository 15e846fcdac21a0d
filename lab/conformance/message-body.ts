import { endpoints, type Input } from '../../src/api/endpoints';
import type { Template } from '../../src/api/resources';
import { isApproved } from '../../src/message/template';
import { variablesOf } from '../../src/message/variables';
import { NotChecked } from './check';
import type { MessageOptions } from './options';
import type { ServiceResponse } from './service-client';

const defaultValues = new Map([
  ['time', '14:30'],
  ['date', '2026-06-12'],
  ['number', '1'],
  ['url', 'https://example.com'],
  ['image', 'https://example.com/image.png'],
  ['video', 'https://example.com/video.mp4'],
  ['document', 'https://example.com/document.pdf'],
]);

/** Returns a value for each variable of the template's texts, also for one that the service doesn't list. */
const examplesOf = (versions: readonly Template[]): Record<string, string> => {
  const listed = versions.flatMap(({ variables }) => variables ?? []);
  const exampleOf = (name: string) => listed.find((each) => each.name === name && each.example)?.example;
  const found = [...(variablesOf(versions)?.values() ?? listed)];
  return Object.fromEntries(
    found.map(({ name, format }) => [name, exampleOf(name) ?? defaultValues.get(format ?? '') ?? 'Test']),
  );
};

const { response: schema } = endpoints.listTemplates;

/** Lists the versions of the template to send: all languages, as nobody knows which one the service chooses. */
const chooseVersions = (response: ServiceResponse | undefined, options: MessageOptions): Template[] => {
  const listed = schema.safeParse(response?.body).data?.data ?? [];
  const wanted = listed.filter(
    (each) =>
      (!options.channel || each.channel === options.channel) &&
      (options.template ? each.name === options.template : isApproved(each)),
  );
  const [first] = wanted;
  const isSame = ({ name, channel }: Template): boolean => name === first?.name && channel === first.channel;
  if (options.template && !wanted.every(isSame)) {
    throw new NotChecked(`${options.template} is a template of several channels: add --channel`);
  }
  return wanted.filter(isSame);
};

/** A message, with what its request needs besides the body. */
export type ComposedMessage = Pick<Input<typeof endpoints.sendMessage>, 'body' | 'versions'>;

/**
 * Composes a message by the options. What they leave open comes from the list of templates: the first approved one,
 * its channel, and the examples of its variables. `templates` is undefined when the service has no such list.
 */
export const composeMessage = async (
  templates: ServiceResponse | undefined,
  to: string,
  options: MessageOptions,
): Promise<ComposedMessage> => {
  const versions = chooseVersions(templates, options);
  const [chosen] = versions;
  const name = options.template ?? chosen?.name;
  const channel = options.channel ?? chosen?.channel;
  if (!name) throw new NotChecked('the workspace lists no approved template: add --template');
  if (!channel) throw new NotChecked(`the channel of ${name} isn't known: add --channel`);
  const variables = options.variables ?? examplesOf(versions);
  return { body: { channel, to, template: name, variables }, versions };
};
