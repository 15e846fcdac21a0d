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

/** Whether any field of a form is for a template. Forms for a template that is mapped aren't. */
export const isOfTemplate = (fields: Record<string, unknown> = {}): boolean =>
  Object.values(fields).some((meta) => templateMeta.safeParse(meta).success);

/** Whether any field of a form is for another template than `key`, or for another channel. */
export const isOfAnotherTemplate = (fields: Record<string, unknown> = {}, key: TemplateKey | undefined): boolean =>
  Object.values(fields).some((meta) => {
    const { data } = templateMeta.safeParse(meta);
    return data !== undefined && (data.template !== key?.name || data.channel !== key.channel);
  });
