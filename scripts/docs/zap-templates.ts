import { brand } from '../../src/brand';

/** A step of this app. `fields` maps each field key to the labels of the outputs that fill it. */
interface OwnStep {
  place: string;
  fields: Record<string, string>;
}

/** A step of another app, named as people see it. */
interface OtherStep {
  app: string;
  event: string;
  fields: Record<string, string>;
}

/** A Zap that needs only accounts and a few choices to run. */
export interface ZapTemplate {
  title: string;
  description: string;
  steps: (OwnStep | OtherStep)[];
}

const { name } = brand;

/** Ten Zap templates. Their texts follow Zapier's style rules for templates. */
export const zapTemplates: ZapTemplate[] = [
  {
    title: `Send ${name} messages for new Shopify orders`,
    description: `Customers like to hear at once that their order has arrived. With this integration, every new order in Shopify sends the customer one of your message templates through ${name}. Nobody is written to twice for one order.`,
    steps: [
      { app: 'Shopify', event: 'New Order', fields: {} },
      { place: 'creates.send_message', fields: { to: 'Shipping Address Phone', deduplication_key: 'Order ID' } },
    ],
  },
  {
    title: `Send ${name} messages to new Facebook Lead Ads leads`,
    description: `A lead that hears from someone within minutes is far more likely to answer. This automation takes each new lead from Facebook Lead Ads and sends a first message through ${name} right away. Use it to greet people while they still think of the offer.`,
    steps: [
      { app: 'Facebook Lead Ads', event: 'New Lead', fields: {} },
      { place: 'creates.send_message', fields: { to: 'Phone Number', deduplication_key: 'Lead ID' } },
    ],
  },
  {
    title: `Send ${name} messages to new Calendly invitees and post replies to Slack`,
    description: `Appointments are missed less often when people are asked to confirm them. For every new invitee in Calendly, this integration sends a message through ${name} and waits for the reply. The answer then appears in a Slack channel, so the team knows who is coming.`,
    steps: [
      { app: 'Calendly', event: 'Invitee Created', fields: {} },
      { place: 'creates.send_message_and_wait', fields: { to: 'Text Reminder Number' } },
      { app: 'Slack', event: 'Send Channel Message', fields: { 'Message Text': 'Reply Text' } },
    ],
  },
  {
    title: `Post new ${name} inbound messages to Slack channels`,
    description: `Questions from customers are answered faster when the whole team sees them. Whenever a contact writes, this automation posts the text and the sender from ${name} to a Slack channel. No one has to keep another inbox open.`,
    steps: [
      { place: 'triggers.message_received', fields: {} },
      {
        app: 'Slack',
        event: 'Send Channel Message',
        fields: { 'Message Text': 'Contact First Name, Contact Last Name, Text' },
      },
    ],
  },
  {
    title: `Create Zendesk tickets from new ${name} inbound messages`,
    description: `A request for help should never depend on someone noticing it. This integration turns every new inbound message in ${name} into a Zendesk ticket with its text and phone number. The support team can follow it up where it already works.`,
    steps: [
      { place: 'triggers.message_received', fields: {} },
      {
        app: 'Zendesk',
        event: 'Create Ticket',
        fields: { Subject: 'From', 'Comment Body': 'Text', 'Requester Name': 'Contact First Name, Contact Last Name' },
      },
    ],
  },
  {
    title: `Send Gmail emails for new failed ${name} messages`,
    description: `A message that does not arrive can cost a customer. As soon as ${name} reports that one has failed, this automation sends an email from Gmail with the number and the reason. Someone can then call or write another way.`,
    steps: [
      { place: 'triggers.message_failed', fields: {} },
      { app: 'Gmail', event: 'Send Email', fields: { Subject: 'To', Body: 'Error Message, Text' } },
    ],
  },
  {
    title: `Add new closed ${name} conversations to HubSpot as notes`,
    description: `Sales and support work better when both know what was said. When a conversation is closed in ${name}, this integration fetches its messages as one text and stores them in HubSpot as a note. The history of a customer stays complete without any copying.`,
    steps: [
      { place: 'triggers.conversation_closed', fields: {} },
      { place: 'searches.find_conversation', fields: { phone: 'Contact Phone' } },
      { app: 'HubSpot', event: 'Create Engagement', fields: { Body: 'Transcript' } },
    ],
  },
  {
    title: `Add new ${name} contacts to Mailchimp as subscribers`,
    description: `People who write to you are often glad to get your news as well. Each new contact in ${name} is added to a Mailchimp audience with name and email address. _Note: Add a filter on Consent if only people who have opted in should be added._`,
    steps: [
      { place: 'triggers.new_contact', fields: {} },
      {
        app: 'Mailchimp',
        event: 'Add/Update Subscriber',
        fields: { 'Subscriber Email': 'Email', 'First Name': 'First Name', 'Last Name': 'Last Name' },
      },
    ],
  },
  {
    title: `Create ${name} contacts from new Typeform entries`,
    description: `Copying form answers into an address book by hand takes time and invites mistakes. This automation creates a contact in ${name} from every new Typeform entry, with name, phone number and email address. The next message can go out straight away.`,
    steps: [
      { app: 'Typeform', event: 'New Entry', fields: {} },
      {
        place: 'creates.create_contact',
        fields: { phone: 'Phone number', email: 'Email', first_name: 'First name', last_name: 'Last name' },
      },
    ],
  },
  {
    title: `Log new completed ${name} campaigns in Google Sheets`,
    description: `Comparing campaigns is easy once their figures stand side by side. After a campaign has ended in ${name}, this integration writes its name and how many people it reached to a new row in Google Sheets. The table grows with every campaign.`,
    steps: [
      { place: 'triggers.campaign_completed', fields: {} },
      {
        app: 'Google Sheets',
        event: 'Create Spreadsheet Row',
        fields: {
          Campaign: 'Name',
          Recipients: 'Stats Recipients',
          Delivered: 'Stats Delivered',
          Read: 'Stats Read',
          Replied: 'Stats Replied',
        },
      },
    ],
  },
];
