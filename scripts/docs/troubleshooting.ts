import { brand } from '../../src/brand';
import { errorGuide, type Problem } from './error-guide';
import { blocks, bullets, linkTo, page } from './markdown';

const entry = ({ title, messages, why, whatToDo }: Problem): string =>
  blocks(
    `### ${title}`,
    messages.map((message) => `> ${message}`).join('\n>\n'),
    `**Why:** ${why}`,
    `**What to do:** ${whatToDo}`,
  );

const chapter = ([title, problems]: [title: string, problems: Problem[]]): string =>
  blocks(`## ${title}`, ...problems.map(entry));

const withoutMessage: Record<string, string[]> = {
  "The Zap doesn't start": [
    'Is the Zap on? Is your workspace on the Advanced plan? Instant triggers need it.',
    'Do the fields of the trigger let the message through? To find out, clear **Channel**, **Text** and **Sent By**.',
    'New Outbound Message leaves out messages from Zaps and campaigns, unless you choose them in **Sent By**.',
    'New Contact starts within 1 to 15 minutes, depending on your Zapier plan. The other triggers start at once.',
    'A trigger ignores everything that happened before you turned on the Zap.',
    'Does **Zap history** show a run that was safely halted? Find its message above. [Can a Zap miss an event?](faq.md#can-a-zap-miss-an-event) lists the other causes.',
  ],
  "The step succeeded, but the message didn't arrive": [
    'The step ends when the service accepts the message. The status is then `queued`.',
    'To see the current status, add **Find Message** after a delay, or start a Zap with **Message Status Updated** or **Message Failed**.',
    'The failure reason in the result says why it failed.',
    "Start Campaign succeeds even if the person opted out or can't be reached. To check, look at **Messages Failed** in the result of **Find Campaign**.",
  ],
  'A test reached a real customer': [
    'A test sends a real message. Enter your own number in **Send Tests To** before you test.',
    'Start Campaign is different: a test never messages the saved audience.',
  ],
  'A customer got the same message twice': [
    'Fill in **Send Only Once Per** with something that each message has only once, such as the order number.',
    'It works for 24 hours. A replay after that sends the message again.',
    'Check whether someone replayed a run whose message in Zap history says "The request may have succeeded".',
    'Check whether two Zaps, or a Zap and a campaign, send the same template.',
  ],
  'A message has the wrong time': [
    "A time without a time zone is sent as it is. A time with one is converted to your Zap's time zone.",
    'Check the time zone of your Zapier account, and the one of the app that the time comes from.',
  ],
  "A template or a field isn't in the list": [
    'The template list shows approved templates of the chosen channel. Choose **Channel** first.',
    'The form shows the fields of a template when you choose it. After someone changed the template, choose it again.',
    'With a mapped template, the form shows **Template Variables** instead. Enter the name of each variable and its value.',
  ],
  'A Zap keeps starting itself': [
    'Turn off the Zap.',
    'Then change the trigger as [Can a Zap start itself?](faq.md#can-a-zap-start-itself) describes.',
  ],
};

const symptom = ([title, checks]: [title: string, checks: string[]]): string => blocks(`### ${title}`, bullets(checks));

/** Renders every error message with its cause and what to do, and the problems that show no message. */
export const renderTroubleshooting = (): string =>
  page(
    '<!-- Made by `npm run docs`. Edit scripts/docs/error-guide.ts and scripts/docs/troubleshooting.ts. -->',
    '# Troubleshooting',
    'To find an error message, press Ctrl+F (on a Mac, Cmd+F) and type three or four words of it. Names and numbers in quotes differ in your Zap.',
    bullets(
      [...Object.keys(errorGuide), 'No error message', 'What Zapier does after an error'].map((title) => linkTo(title)),
    ),
    ...Object.entries(errorGuide).map(chapter),
    '## No error message',
    ...Object.entries(withoutMessage).map(symptom),
    '## What Zapier does after an error',
    'Zap history shows one of these statuses for the run.',
    bullets([
      "**Safely halted**: the values in this run don't work, such as an incomplete phone number, or nobody knows whether the message was sent. The Zap stays on, other runs aren't affected, and Autoreplay leaves the run alone. Read the message, correct the cause and replay the run.",
      "**Errored**: the service failed, or the token or plan doesn't allow the step. Zapier emails you, and Autoreplay runs the step again. Zapier turns off a Zap when nearly all its runs in a week fail.",
      '**On hold**: you must reconnect the account, or confirm that Zapier may continue. The runs wait in Zap history. Afterwards, replay them.',
      '**Scheduled** or **Delayed**: Zapier retries the step by itself.',
    ]),
    `Still stuck? Write to ${brand.support}. Include the link to the run in Zap history, and the request ID if the message has one. Never include your API token.`,
  );
