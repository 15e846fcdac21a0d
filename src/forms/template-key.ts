/** Which template on which channel a field of a form is for. */
import * as zod from 'zod/mini';

/** What identifies a template for a person. The service chooses the language. */
export interface TemplateKey {
  name: string;
  channel: string;
}

const templateMeta = zod.object({ template: zod.string(), channel: zod.string() });

/** Returns what a form keeps about the template of a field. Zapier passes it to the step with the field. */
export const metaOfTemplate = ({ name, channel }: TemplateKey): zod.output<typeof templateMeta> => ({
  template: name,
  channel,
});

/** Whether a form keeps about a field that it's for another template, or for another channel. */
export const isOfAnotherTemplate = (meta: unknown, { name, channel }: TemplateKey): boolean => {
  const { data } = templateMeta.safeParse(meta);
  return data !== undefined && (data.template !== name || data.channel !== channel);
};
