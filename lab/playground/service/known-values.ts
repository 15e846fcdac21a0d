import { type Template, vocabulary } from '../../../src/api/resources';
import { reference } from '../../zapier/fields/mapping';
import type { Rule } from '../../zapier/fields/rules';
import type { AppStep, Step } from '../../zapier/kinds';
import { asApp } from '../../zapier/zap/steps';
import { templatesOf } from './whole-message';

/** The values that a field of the app can have, by the last name of its path. */
const values: Readonly<Record<string, readonly string[]>> = {
  answer: ['yes', 'no', 'other'],
  channel: ['whatsapp', 'sms'],
  consent: vocabulary.consent,
  direction: vocabulary.direction,
  status: vocabulary.messageStatus,
};

/** The text of a reply, or of the button that answered, in what a step gives. */
const ofReply = /^(reply_text|(reply\.)?(text|button\.text))$/;

/** The step that sent what a reply answers: the one that waits for it, or the one whose message another step looks up. */
const senderOf = (steps: readonly Step[], step: AppStep): AppStep | undefined => {
  if (step.operation === 'creates.send_message_and_wait') return step;
  const [found] = `${step.values.message ?? ''}`.matchAll(reference);
  return asApp(steps[Number(found?.[1]) - 1]);
};

/** The texts of the buttons that a message of a step has, in every language. */
const buttonsOf = ({ values }: AppStep, templates: readonly Template[]): string[] => {
  const buttons = templatesOf(values, templates).flatMap((each) => each.buttons ?? []);
  return [...new Set(buttons.flatMap(({ type, text }) => (type === 'quick_reply' && text ? text : [])))];
};

/** The values that the data of a rule can have, if it's one field of the app. */
export const valuesOf = (
  steps: readonly Step[],
  { value }: Pick<Rule, 'value'>,
  templates: readonly Template[],
): readonly string[] => {
  const [only, ...others] = value.matchAll(reference);
  const step = asApp(steps[Number(only?.[1]) - 1]);
  if (!only || !step || others.length > 0 || only[0] !== value.trim()) return [];
  const [path = ''] = only.slice(2);
  const sender = ofReply.test(path) ? senderOf(steps, step) : undefined;
  if (sender) return buttonsOf(sender, templates);
  const name = path.split('.').at(-1) ?? '';
  if (name === 'status' && step.operation.includes('campaign')) return vocabulary.campaignStatus;
  return values[name] ?? [];
};
