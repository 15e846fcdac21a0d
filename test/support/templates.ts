/** The form and the step of Send Template Message for a template on WhatsApp. */

import { type Template, template } from '../../src/api/resources';
import { authData, expectCall, recordSends } from './service';
import { runStep } from './zapier';

export interface Field {
  key: string;
  label: string;
  type?: string;
  required?: boolean;
  helpText?: string;
  meta?: Record<string, string | number | boolean>;
}

export type Form = Record<string, unknown>;

export const form = async (inputData: Form, inputDataRaw: Record<string, string> = {}): Promise<Field[]> =>
  (await runStep('creates.send_message.operation.inputFields', { authData, inputData, inputDataRaw })) as Field[];

/** The query for the versions of the sample template on WhatsApp. */
export const expectedQuery = { name: template.sample.name, channel: 'whatsapp', limit: 100 };

export const expectTemplates = () => expectCall('listTemplates', { query: expectedQuery });

export const answerTemplate = (changes: Partial<Template> = {}) =>
  expectTemplates().reply(200, { data: [{ ...template.sample, ...changes }] });

export const chosen = { channel: 'whatsapp', template: template.sample.name };

/** Runs the step as an agent does, with these values and a template that describes these variables. */
export const runWith = (variables: Template['variables'], values: Form) => {
  answerTemplate({ body: 'Hello', variables });
  return runStep('creates.send_message.operation.perform', {
    authData,
    inputData: { ...chosen, to: '+12025550123', ...values },
    meta: { timezone: 'Europe/Amsterdam' },
  });
};

export const sentWith = async (...parameters: Parameters<typeof runWith>) => {
  const sent = recordSends(202, { id: 'msg_1' });
  await runWith(...parameters);
  const [{ body } = { body: {} }] = sent;
  return (body as { variables?: object }).variables;
};
