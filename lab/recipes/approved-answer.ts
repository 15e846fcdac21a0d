import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

const customer = '+12025550187';
const question = 'Can I pick up a parcel for my neighbor?';
const draft = 'Yes, with the pickup code and your own ID.';
const edited = 'Yes, please bring the pickup code and your own ID.';

const before = [
  { type: 'contact is added', contact: { phone: customer, first_name: 'Sanne', last_name: 'Bakker' } },
  { type: 'customer writes', phone: customer, text: question },
] as const;

export const approvedAnswer: Recipe = {
  name: 'AI drafts an answer, you approve it',
  group: 'Questions',
  line: 'Nothing goes out before a person has read it.',
  title: `Draft AI answers to new ${brand.name} messages, and approve them`,
  description: `AI writes fast, but now and then it's wrong. For every new message in ${brand.name}, this automation lets AI draft an answer and asks a colleague, who approves, edits or declines it. Only then does the answer go to the customer, in a template with a variable for it.`,
  watchOut:
    'Human in the Loop needs a paid Zapier plan, and each reviewer needs access to the Zap. In step 4, turn on editing and choose what happens if nobody reviews the draft in time. The API sends approved templates only, so yours needs a variable for the answer.',
  steps: [
    { type: 'app', operation: 'triggers.message_received' },
    { type: 'filter', rules: [{ value: '{{1.has_phone_number}}', condition: '(Boolean) Is true', text: '' }] },
    other('AI by Zapier', 'Analyze and Return Data', {
      fields: {
        Instructions: 'Answer the question in one or two friendly sentences. Never promise a date or a price.',
        Question: '{{1.text}}',
      },
      gives: { Answer: `Example answer: ${draft}` },
    }),
    {
      type: 'approval',
      content: { Question: '{{1.text}}', Answer: '{{3.Answer}}', Customer: '{{1.contact.first_name}}' },
    },
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.contact.phone}}', deduplication_key: '{{1.id}}' },
      choices: { channel: 'whatsapp', template: 'answer_to_question', variable_answer: '{{4.Answer}}' },
    },
  ],
  examples: [
    {
      name: 'a person edits the draft and approves it',
      before: [...before],
      meanwhile: [{ type: 'reviewer decides', decision: 'approved', content: { Answer: edited } }],
      outcome: {
        sent: [{ to: customer, text: `Thank you for your question. ${edited} Can we help you with anything else?` }],
        received: [{ app: 'AI by Zapier', fields: { Question: question } }],
      },
    },
    {
      name: 'a person declines it',
      before: [...before],
      meanwhile: [{ type: 'reviewer decides', decision: 'declined' }],
      outcome: { received: [{ app: 'AI by Zapier', fields: { Question: question } }] },
    },
  ],
};
