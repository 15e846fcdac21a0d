import { endpoints } from '../../src/api/endpoints';
import { toLabel } from '../../src/api/labels';
import { vocabulary } from '../../src/api/resources';
import { demoAccount } from '../listing/account';
import { type Access, nameSteps } from './access';
import { code, table } from './markdown';
import { renderPage } from './page';

const { replies, fails, optedOut, campaign, failingCampaign } = demoAccount;

/** What a reviewer does to try each step, by its place in the app. */
const tries: Record<string, string> = {
  'triggers.message_received': `Turn on the Zap, and send a template message to ${replies}. The number replies within a minute.`,
  'triggers.message_sent': 'Turn on the Zap, and write in a conversation in the inbox as a colleague.',
  'triggers.message_status_updated': `Turn on the Zap, and send a template message to ${replies}. It is delivered, then read.`,
  'triggers.message_failed': `Turn on the Zap, and send a template message to ${fails}. It fails.`,
  'triggers.conversation_opened': 'Turn on the Zap, and send a template message to a number without a conversation.',
  'triggers.conversation_closed': 'Turn on the Zap, and close a conversation in the inbox.',
  'triggers.conversation_reopened': 'Turn on the Zap, and reopen a closed conversation in the inbox.',
  'triggers.campaign_started': `Turn on the Zap, and start the campaign "${campaign}".`,
  'triggers.campaign_completed': `Turn on the Zap, start the campaign "${campaign}", and wait until all its messages are sent.`,
  'triggers.campaign_failed': `Turn on the Zap, and start the campaign "${failingCampaign}" while its template isn't approved. It fails.`,
  'triggers.new_contact':
    'Turn on the Zap, add a contact in the inbox or with Create Contact, and wait for up to 15 minutes. It polls, since the service sends no webhook for contacts.',
  'triggers.contact_opted_out':
    'Turn on the Zap, choose Opted out for a contact in the inbox or with Update Contact, and wait for up to 15 minutes. It polls, since the service sends no webhook for contacts.',
  'creates.send_message': `Send a template message to ${replies}. In the result, Message Link opens it in the inbox. To ${optedOut}, who opted out, the run is safely halted, and nothing is sent.`,
  'creates.send_message_and_wait': `Turn on the Zap, and run it for ${replies}. The run waits, and goes on with the reply.`,
  'creates.start_campaign': `Choose the campaign "${campaign}". A test for its saved audience sends nothing. With One recipient, only that person gets it.`,
  'creates.create_contact': 'Create a contact with a made-up name and an email address of your own.',
  'creates.create_or_update_contact':
    'Enter the same email address with another name, and a tag. The contact has both afterward.',
  'creates.update_contact': 'Choose the contact, and remove the tag.',
  'creates.delete_contact': 'Choose the contact. It is gone from the list of contacts in the inbox.',
  'searches.find_contact': `Enter ${replies}. Find or Create Contact is the same search.`,
  'searches.find_contacts': 'Choose Opted in for Consent. The result has the newest contacts who agreed to messages.',
  'searches.find_conversation_history': `Enter ${replies}. Transcript has the messages of the newest conversation.`,
  'searches.find_conversations': 'Choose The contact wrote last. The result has everyone who waits for an answer.',
  'searches.find_reply': `Map Message ID from a message to ${replies}, a minute after you sent it.`,
  'searches.find_message_status': 'Choose a message. Status shows its progress.',
  'searches.find_messages': 'Choose Inbound in Direction. The result has the newest messages from contacts.',
  'searches.find_campaign': `Enter "${campaign}". The result has its figures.`,
  'searches.find_template': "Enter a part of a template's name. The result has its texts and variables.",
};

const triesOf = (all: readonly Access[]): string[][] =>
  all.map(({ place, step }) => [step.display.label, tries[place] ?? 'Test the step in the Zap editor.']);

const scopeRows = (all: Access[]): string[][] =>
  vocabulary.scope.map((scope) => [
    code(scope),
    nameSteps(all, ({ run }) => run.includes(scope)),
    nameSteps(all, ({ setUp }) => setUp.includes(scope)),
  ]);

/** Returns the page for Zapier's reviewers: data flow, scopes, reasons, and how to try each step. */
export const renderReview = (all: Access[]): string =>
  renderPage('review', {
    'plan of webhooks': toLabel(endpoints.createWebhook.plan),
    inbox: demoAccount.inbox,
    email: demoAccount.email,
    'table scopes': table(['Scope', 'To run', 'Also for lists, forms and tests in the editor'], scopeRows(all)),
    'table of steps to try': table(['Step', 'To try it'], triesOf(all)),
  });
