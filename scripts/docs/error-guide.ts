/** Every error message that a Zap can show, with its cause and what to do. A test checks that the list is complete. */
import { pathPrefix } from '../../src/api/endpoints';
import { type ErrorCode, errorCodes, explainRefusal, type Refusal } from '../../src/api/errors';
import { contact } from '../../src/api/resources';
import { brand } from '../../src/brand';

/** A problem that a person looks up. */
export interface Problem {
  title: string;
  /** The messages that people see, each as an example. */
  messages: string[];
  why: string;
  whatToDo: string;
}

const message = (refusal: Omit<Refusal, 'problems'> & Partial<Refusal>): string =>
  explainRefusal({ problems: [], ...refusal }).message;

/** What the service adds to a reason, as examples. */
const details: { [Code in ErrorCode]?: Partial<Refusal>[] } = {
  validation_failed: [{ problems: [{ field: 'email', message: 'must be an email address' }] }],
  insufficient_scope: [{ requiredScope: 'messages:write' }],
  plan_required: [{ requiredPlan: 'advanced' }, { requiredPlan: 'growth' }],
  not_found: [{ record: 'Contact' }],
  contact_exists: [{ existingId: contact.sample.id }, { existingId: contact.sample.id, record: 'Contact' }, {}],
  template_variables_missing: [{ problems: [{ field: 'variables.arrival_time', message: 'is required' }] }],
};

/** Returns the messages for a reason that the service gives. */
export const refusalMessages = (code: ErrorCode): string[] =>
  (details[code] ?? [{}]).map((added) => message({ status: errorCodes[code].status, code, ...added }));

/** Every error message by section, in the order in which people meet them. */
export const errorGuide: Record<string, Problem[]> = {
  'The account': [
    {
      title: "API Base URL isn't accepted",
      messages: [
        `API Base URL: the address is missing. Enter the address of the API, such as ${brand.api}.`,
        `API Base URL: this isn't a web address. Enter one such as ${brand.api}.`,
        "API Base URL: the messaging service isn't at this address. Copy the address again, with nothing after it.",
        "API Base URL: the messaging service isn't at this address, or has nothing there (status 404). Check the address in the account.",
        'API Base URL: the address must start with https://, so that your token stays private.',
        'API Base URL: remove the user name and password. Enter the token in API Token.',
        'API Base URL: remove the ? or # and everything after it.',
        "API Base URL: this address is in a private network, which Zapier can't reach. Enter the public address of the API.",
        "The API Base URL redirects to another address, where your token isn't sent. Enter the address of the API itself.",
      ],
      why: "The address isn't the address of your API. Part of it may be missing, or it may be the address of another page.",
      whatToDo: `Open the [API tokens page](${brand.tokenPage}) and copy the address of the API. Paste it into **API Base URL** with nothing after it. If Zapier can't reach the address, ask the person who gave it to you for the public one.`,
    },
    {
      title: "API token is missing or isn't accepted",
      messages: [
        ...refusalMessages('invalid_token'),
        'The API Token is missing. Create an API token in the messaging service, then reconnect this account.',
        "The API Token contains characters that a token can't have. Copy it again from the messaging service, then reconnect this account.",
      ],
      why: 'The token expired, someone deleted or replaced it, or part of it was lost when you copied it. Zapier holds the runs of your Zaps until you reconnect.',
      whatToDo: `Create a token on the [API tokens page](${brand.tokenPage}). In Zapier, open **App Connections**, find ${brand.name} and choose **Reconnect**. Then replay the held runs from **Zap history**.`,
    },
    {
      title: 'API token is in another field',
      messages: [
        'Phone Number: this contains your API token, so the step stopped. Remove it from the step. It belongs only in API Token of the account, which Zapier hides.',
        'Default Country: this contains your API token, so the step stopped. Remove it from the account. It belongs only in API Token of the account, which Zapier hides.',
      ],
      why: 'Someone pasted the token into this field, or mapped a value that contains it. Anyone who sees the Zap, its history or the message could read it there.',
      whatToDo: `Remove the token from the field. Then create a new one on the [API tokens page](${brand.tokenPage}), delete the old one and reconnect the account, because **Zap history** may still show it.`,
    },
    {
      title: "API token doesn't have the scope",
      messages: refusalMessages('insufficient_scope'),
      why: "A token may do only what its scopes allow. Yours doesn't have the scope in the message.",
      whatToDo: `Add the scope to the token on the [API tokens page](${brand.tokenPage}), or create a new token and reconnect the account. The [reference](reference.md) lists the scopes that each step needs.`,
    },
    {
      title: 'Your plan is too low',
      messages: refusalMessages('plan_required'),
      why: 'Instant triggers and Send Message and Wait for Reply need the Advanced plan. Everything else needs the Growth plan.',
      whatToDo:
        'Upgrade the workspace. To stay on Growth, start the Zap from another app or from New Contact. To get replies, add a delay and Find Reply after Send Template Message.',
    },
  ],
  'Phone numbers and contacts': [
    {
      title: "Phone number isn't complete",
      messages: [
        'Phone Number: "555 01" isn\'t a complete phone number. Enter only the number, with the country code, such as +12025550123.',
      ],
      why: 'The number has too few or too many digits, or the field has more than the number, such as an extension, a note or a second line.',
      whatToDo: 'Correct the number in the app that it comes from.',
    },
    {
      title: 'Phone number has no country code',
      messages: [
        'Phone Number: "(202) 555-0123" has no plus and country code. Enter it with both, such as +12025550123, or set the Default Country of your account.',
      ],
      why: "The number's country isn't known. The step never guesses, because a wrong guess would message a stranger.",
      whatToDo:
        'Choose **Default Country** in the step or in the account. It applies to all numbers without a plus or 00.',
    },
    {
      title: "Phone number isn't in the Default Country",
      messages: [
        'Phone Number: "0491 570 006" isn\'t a phone number in the Default Country, United States. For another country, enter a plus and the country code first, such as +12025550123.',
      ],
      why: '**Default Country** applies to every number without a plus or 00. This one is too long, too short or from another country.',
      whatToDo:
        'Correct the number, or add a plus and the country code. If most of your customers are in another country, change **Default Country**.',
    },
    {
      title: 'Phone number has two meanings',
      messages: [
        'Phone Number: "4921123456" can be +494921123456 or +4921123456. Enter the right one, with its plus and country code.',
      ],
      why: 'The digits begin like a country code, but they can also be a number in the **Default Country** that lost its first zero, for example in a spreadsheet.',
      whatToDo:
        'Correct the number in the app that it comes from: add the plus, or the zero. In a spreadsheet, format the column as text.',
    },
    {
      title: 'Several phone numbers in one field',
      messages: [
        'Phone Number: enter only one phone number. For several people, add a Looping by Zapier step before this one.',
      ],
      why: 'Each step messages one person.',
      whatToDo:
        'Add **Looping by Zapier** before this step and map its phone number here. To message a whole audience, use Start Campaign.',
    },
    {
      title: "Default Country isn't in the list",
      messages: [
        'Default Country: "Holand" isn\'t in the list of countries. Choose one, or enter its two-letter code, such as NL.',
      ],
      why: 'The field takes an English country name or its two-letter code.',
      whatToDo: 'Choose a country from the list. If you map this field, check the value from the earlier step.',
    },
    {
      title: "Email isn't an email address",
      messages: ['Email: "noor at example.com" isn\'t an email address. Enter one such as noor@example.com.'],
      why: 'The value is incomplete, or it contains several addresses.',
      whatToDo: 'Correct the address, or leave **Email** empty and use the phone number.',
    },
    {
      title: 'Phone number and email are both empty',
      messages: [
        'Phone Number and Email are both empty. Fill in one of them and try again.',
        'Phone Number, Email and Name are all empty. Fill in one of them and try again.',
        'Conversation and Phone Number are both empty. Fill in one of them and try again.',
      ],
      why: "The fields are empty, or the earlier step didn't have a value for this record.",
      whatToDo:
        'Open the run in **Zap history** and look at **Data in**. If some records have no phone number, add a filter before this step.',
    },
    {
      title: "Phone number can't be reached",
      messages: refusalMessages('recipient_unreachable'),
      why: "The number isn't in use, or the person doesn't have this messaging app.",
      whatToDo: 'Check the number. To reach the person another way, choose another **Channel**.',
    },
    {
      title: 'Person has opted out',
      messages: refusalMessages('recipient_opted_out'),
      why: 'This person asked you to stop. The service refuses every template message to them.',
      whatToDo:
        "Don't try again. When the person agrees to receive messages again, set **Consent** to Opted in with Update Contact.",
    },
    {
      title: 'Contact already exists',
      messages: refusalMessages('contact_exists'),
      why: 'A phone number or an email address belongs to one contact only.',
      whatToDo:
        'Use **Create or Update Contact** in place of Create Contact. If that step shows the message with an ID, two contacts have the values: one has the phone number, the other the email address.',
    },
    {
      title: 'Contact has another phone number',
      messages: [
        'Phone Number: the contact with this email has another phone number, so nothing was changed. Check which one is right, then use Update Contact.',
      ],
      why: 'In Create or Update Contact, **If the Phone Number Differs** is set to stop the step. The person may have a new number, or someone else entered this email.',
      whatToDo:
        'Ask the person which number is right. If it is the new one, change the contact in the messaging service or with Update Contact.',
    },
    {
      title: 'Service returned another contact',
      messages: [
        'The messaging service says that this contact exists, but returned another one, so nothing was changed. Try again later.',
      ],
      why: 'The contact may have changed while the step ran. The step changes a contact only if its phone number or email is the one in the form.',
      whatToDo: `Replay the run. If it happens again, write to ${brand.support}.`,
    },
    {
      title: 'Several contacts match',
      messages: [
        "Name: several contacts match equally well, so the step can't tell which one you mean. Use Phone Number or Email, or enter the full name.",
        "Phone Number: several contacts match equally well, so the step can't tell which one you mean. In the messaging service, keep this value on one contact only.",
        'Name: too many contacts match to be sure of the right one. Use Phone Number or Email, or enter the full name.',
      ],
      why: 'Find Contact never chooses between people, because the next step could message the wrong one. Find or Create Contact creates no contact then.',
      whatToDo:
        'Map the phone number or email of the person. If several contacts have the same one, remove it from the others in the messaging service.',
    },
    {
      title: 'Nothing to change',
      messages: ['There is nothing to change. Fill in at least one field besides Contact.'],
      why: 'Every field of Update Contact is empty, or the mapped values are.',
      whatToDo: 'Fill in a field, or add a filter that stops the Zap when there is nothing to change.',
    },
  ],
  Templates: [
    {
      title: 'Template not found',
      messages: refusalMessages('template_not_found'),
      why: 'The template has another name, was deleted, or belongs to another channel.',
      whatToDo: 'Choose **Channel** again, then choose **Template** from the list.',
    },
    {
      title: "Template isn't approved",
      messages: refusalMessages('template_not_approved'),
      why: 'A template can be sent only after it is approved.',
      whatToDo: 'Wait for the approval, or choose another template. Then replay the run.',
    },
    {
      title: 'Template variables are empty',
      messages: refusalMessages('template_variables_missing'),
      why: "The template changed after you built the Zap, or the earlier step didn't have a value for this record.",
      whatToDo: 'Open the step and choose the template again to see its fields. Fill in every required one.',
    },
    {
      title: "Value isn't filled in",
      messages: [
        'First Name: "{{first_name}}" isn\'t filled in, so this step did nothing. Map the value again, or check the earlier step.',
      ],
      why: 'Another app sent the name of a value instead of the value, or a word such as `undefined`. The customer would see it. In **Send Only Once Per**, it would stop all later messages to the customer for 24 hours.',
      whatToDo: 'Look at the data of the earlier step in **Zap history**, and map a field that has the value.',
    },
    {
      title: 'Value that prevents harm is empty',
      messages: [
        'Send Only Once Per: the value for this run is empty, so nothing was sent. Check the earlier step that it comes from, or clear the field.',
        'Send Tests To: the value for this run is empty, so nothing was sent. Check the earlier step that it comes from, or clear the field.',
      ],
      why: 'The field is mapped, but the earlier step gave no value. Without it, the customer could get the message twice, or get your test.',
      whatToDo:
        'Map a field that always has a value, or enter one. For a test, load a record of the trigger that has the value. An empty field without a mapping is fine.',
    },
    {
      title: 'Template has no such variable',
      messages: [
        'Template Variables: this template has no variable "ETA". It has: Parcel Number; Arrival Time.',
        'Template Variables: this template has no variable "ETA". It has no variables, so leave the field empty.',
      ],
      why: "A name on the left of **Template Variables** isn't in this template.",
      whatToDo: 'Copy the name from the error message. Capital letters and spaces make no difference.',
    },
    {
      title: "Template variable doesn't fit",
      messages: [
        'Arrival Time: "soon" isn\'t a time. Enter one such as 14:30 or 2:30 pm, or map a date and time.',
        'New Date: "06/07/2026" isn\'t a clear date. Enter one such as 2026-06-12, or map a date and time.',
        'Amount: "1,250" isn\'t a clear number. Enter digits with a point for decimals, such as 1250.50.',
        'Tracking Link: "www" isn\'t a link. Enter the full address, starting with https://.',
      ],
      why: 'The template expects a time, a date, a number or a link. The step refuses a value that could mean two things: 06/07/2026 could be 6 July or 7 June, a date may not have the weekday beside it, and 1,250 could be a thousand or one.',
      whatToDo:
        'Map another field, or add **Formatter by Zapier** before this step to change the value. The field in your message has the name from your template.',
    },
  ],
  'Sending and waiting': [
    {
      title: 'Send Only Once Per was used with different details',
      messages: refusalMessages('idempotency_mismatch'),
      why: 'In the last 24 hours, this person got this template with the same value but other variables. The step stops to prevent a second message.',
      whatToDo:
        'If the person needs the new message, enter another value, such as the order number followed by its status.',
    },
    {
      title: 'Request is still being processed',
      messages: refusalMessages('idempotency_in_flight'),
      why: 'Zapier ran the step again before the first request ended.',
      whatToDo: 'Nothing. The step waits for up to 20 seconds, then Zapier retries it. The person gets one message.',
    },
    {
      title: 'Step can wait for a reply only in a Zap that is on',
      messages: [
        "This step can wait for a reply only in a Zap that's turned on, so nothing was sent. Turn on the Zap, or use Send Template Message.",
      ],
      why: 'Send Message and Wait for Reply needs an address where Zapier can receive the reply. Zapier gives it one only in a Zap.',
      whatToDo: 'Use the step in a Zap that is on. Elsewhere, use Send Template Message.',
    },
    {
      title: "Service can't watch for long enough",
      messages: [
        "The messaging service can't watch for a reply for 30 days, so nothing was sent. Use Send Template Message, then Find Reply after a delay.",
      ],
      why: 'The webhooks of your messaging service end before a Zap stops waiting, so a late reply would be lost.',
      whatToDo: 'Replace the step with Send Template Message, **Delay by Zapier** and Find Reply.',
    },
    {
      title: "Message was sent, but the Zap can't wait",
      messages: [
        "The message was sent, but the Zap can't wait for the reply, because the messaging service didn't create a webhook. Look for the reply there, or use Find Reply.",
        "The message was sent, but the Zap can't wait for the reply, because the messaging service can't watch for 30 days. Use Send Template Message, then Find Reply after a delay.",
        "The message was sent, but the Zap can't wait for the reply, because the messaging service can't watch for one person's messages. Use Send Template Message, then Find Reply after a delay.",
      ],
      why: 'The service failed after it had sent the message, or it reports the messages of everyone, and any of them would end the wait.',
      whatToDo:
        "Don't replay the run unless **Send Only Once Per** is filled in, because the person would get the message again. If every run has this problem, replace the step with Send Template Message, **Delay by Zapier** and Find Reply.",
    },
    {
      title: "Incoming message isn't certain to be the reply",
      messages: [
        "It isn't certain that the incoming message is this contact's reply, so the Zap stopped waiting. Check the conversation in the messaging service.",
        "It isn't certain that the incoming message is this contact's reply, so the Zap stopped waiting. Replay the run to wait again. Nothing is sent twice.",
      ],
      why: "The service reported a message that is older than yours, isn't from this person, or could answer another run of the Zap as well.",
      whatToDo:
        'Read the conversation and continue by hand. If the error tells you to replay the run, do it within 12 hours, while **Send Only Once Per** still prevents a second message.',
    },
    {
      title: "Reply can't be read",
      messages: [
        "The contact wrote, but the Zap couldn't read the message, so it stopped. Read it in the messaging service.",
      ],
      why: "The service was down for longer than a step can take, or the API token was replaced or can't read messages.",
      whatToDo:
        "Read the conversation and continue by hand. Don't replay the run, because the person may get the message again.",
    },
  ],
  Campaigns: [
    {
      title: 'Audience is larger than Maximum Recipients',
      messages: [
        'Maximum Recipients: the audience has 620 people, but only 500 are allowed, so nothing was sent. Enter a higher number, or choose another campaign.',
      ],
      why: 'The audience grew. Maximum Recipients protects you from messaging more people than you meant to.',
      whatToDo:
        'Check the audience in the messaging service. If it is right, enter a higher number and replay the run.',
    },
    {
      title: "Audience size isn't known",
      messages: [
        "Maximum Recipients: the messaging service doesn't say how large the audience is, so nothing was sent. Start this campaign in the messaging service instead.",
      ],
      why: 'Without the size, nobody can tell how many people would get the message.',
      whatToDo: 'Start the campaign in the messaging service, or choose another campaign.',
    },
    {
      title: 'Campaign was canceled',
      messages: ["Campaign: this campaign was canceled, so it can't start. Choose another one."],
      why: 'Someone canceled the campaign in the messaging service.',
      whatToDo: 'Choose another campaign.',
    },
    {
      title: 'Maximum Recipients is negative',
      messages: ['Maximum Recipients: enter 0 or more.'],
      why: 'The field takes a number of people.',
      whatToDo: 'Enter a number such as 500.',
    },
  ],
  Triggers: [
    {
      title: 'Zap has no subscription',
      messages: ["This Zap isn't subscribed to the messaging service. Turn the Zap off and on again."],
      why: 'The connection between the service and this Zap was lost.',
      whatToDo: 'Turn the Zap off and on again.',
    },
    {
      title: "Webhook payload wasn't signed",
      messages: [
        "The messaging service didn't sign this webhook payload, so the Zap didn't start. If real messages are missing, turn the Zap off and on again.",
      ],
      why: "The service signs each payload with the secret of the Zap's current webhook. This payload came from someone else, or it was on its way while Zapier replaced the webhook. Zapier does that around the time when the webhook expires, and when you turn the Zap off and on. The two cases look the same, so the Zap starts in neither.",
      whatToDo:
        'Look at the conversation or campaign in the messaging service. If something happened there at that time, do by hand what the Zap would have done. Other payloads and other Zaps are not affected. If messages are missing again and again, turn the Zap off and on again.',
    },
    {
      title: 'Sender of a message is unknown',
      messages: [
        "The messaging service doesn't say who sent this message, so the Zap didn't start. Turn the Zap off and on again. If that doesn't help, choose all senders in Sent By, unless this Zap sends messages.",
      ],
      why: "**Sent By** limits the Zap to some senders, which also keeps it from starting itself. This message has no sender, and the service didn't confirm that it reports only messages from these senders.",
      whatToDo: `Turn the Zap off and on again, because that asks the service again to report only these senders. If the message returns, choose all senders in **Sent By**. If the Zap sends messages or starts campaigns, don't do that, because it could then start itself. Write to ${brand.support} instead.`,
    },
    {
      title: 'Service gave no signing secret',
      messages: [
        "The messaging service gave no usable signing secret for this Zap, so the Zap can't tell real payloads from forged ones. Contact its support.",
      ],
      why: "Without the secret, the Zap can't tell real messages from forged ones.",
      whatToDo: `Write to ${brand.support}.`,
    },
    {
      title: 'Service gave no clear expiry time',
      messages: [
        "The messaging service doesn't say clearly when this Zap's webhook expires, so Zapier can't renew it and the Zap can't be turned on. Contact the messaging service's support.",
      ],
      why: "A webhook can expire, and Zapier then renews it. Without that, nothing would start the Zap anymore, and no error would tell you. The service gave a time that has passed, or one that doesn't mean a single moment, such as a time without a time zone.",
      whatToDo: `Write to ${brand.support}.`,
    },
    {
      title: "Webhook payload isn't recognized",
      messages: ["The messaging service sent an unrecognized webhook payload, so the Zap didn't start."],
      why: "The service sent something that this integration doesn't understand.",
      whatToDo: `If it happens again, write to ${brand.support} and include the link to the run.`,
    },
  ],
  'Searches and mapped records': [
    {
      title: "Record doesn't exist",
      messages: [...refusalMessages('not_found'), 'Contact: ".." isn\'t an ID or name. Choose or map one.'],
      why: 'The record was deleted, or the mapped field holds something else, such as a name where an ID belongs.',
      whatToDo: 'Choose the record from the list, or map the ID field of an earlier search.',
    },
    {
      title: 'Number of Messages is out of range',
      messages: ['Number of Messages: 900 is out of range. Enter a number from 1 to 500.'],
      why: 'A step returns at most 500 messages.',
      whatToDo: 'Enter a smaller number. To cover a long time, run the Zap more often.',
    },
    {
      title: "Sent After isn't a date and time",
      messages: ['Sent After: "yesterday" isn\'t a date and time. Enter one such as 2026-06-11 09:00.'],
      why: 'The field takes a date, or a date and a time.',
      whatToDo: 'Map a date, or use **Formatter by Zapier** to make one.',
    },
    {
      title: 'Too many messages came after this one',
      messages: [
        "Message: more than 500 messages came after this one, so the first reply can't be found. Read the conversation in the messaging service.",
      ],
      why: 'Find Reply reads up to 500 messages, and the first reply may be older than those.',
      whatToDo: 'Use Find Reply sooner after the message.',
    },
    {
      title: 'Message has no time',
      messages: ["The messaging service doesn't say when this message was sent, so replies can't be found."],
      why: 'Find Reply looks for messages after yours, and the service gave no time for it.',
      whatToDo: `Write to ${brand.support}.`,
    },
  ],
  'Fields of any step': [
    {
      title: 'Required field is empty',
      messages: ['Template is empty. Fill it in, or check the earlier step that its value comes from.'],
      why: "The field is empty, or the earlier step didn't have a value for this record.",
      whatToDo: 'Fill in the field, or map one that always has a value.',
    },
    {
      title: "Value isn't one of the choices",
      messages: [
        'Audience: "everyone" isn\'t one of the choices. Choose one of these: The saved audience; One recipient.',
      ],
      why: 'A mapped value must be one of the choices in the list.',
      whatToDo: 'Choose from the list, or correct the value in the earlier step.',
    },
    {
      title: "Value doesn't fit",
      messages: ["Phone Number: this value doesn't fit. Map a single value instead."],
      why: 'The mapped field holds a group of values, such as line items.',
      whatToDo: 'Open the group when you map the field, and choose one value inside it.',
    },
    {
      title: "Value isn't a whole number",
      messages: ['Number of Messages: "about 20" isn\'t a whole number. Enter digits only, such as 25.'],
      why: 'The field takes digits only.',
      whatToDo: 'Enter a number without letters, spaces and decimals.',
    },
    {
      title: 'Field is too long',
      messages: ['Message is too long. Shorten it and try again.'],
      why: 'A mapped value is thousands of characters long. Often, the wrong field is mapped.',
      whatToDo: 'Check the mappings, or shorten the value with **Formatter by Zapier**.',
    },
    {
      title: "Service didn't accept the input",
      messages: [...refusalMessages('validation_failed'), ...refusalMessages('malformed_request')],
      why: 'The service checked a value and refused it. The message gives its reason.',
      whatToDo: 'Correct the field in the message.',
    },
  ],
  'API Request': [
    {
      title: "Path isn't accepted",
      messages: [
        'Path: "50%" contains an invalid % sequence. Enter %25 for a percent sign.',
        'Path: remove the ? or # and everything after it. Enter query parameters in Query.',
        `Path: enter only the part after ${pathPrefix}/, such as contacts/${contact.sample.id}. Leave out the host, and any part that is only dots.`,
        "This request isn't for the API Base URL of the account, so it wasn't sent.",
      ],
      why: 'API Request calls only the API of your account. That keeps your token private.',
      whatToDo: `Enter only the part of the address after \`${pathPrefix}/\`.`,
    },
    {
      title: "Body isn't valid JSON",
      messages: ["Body: this isn't valid JSON. Look for a missing quote, comma or bracket."],
      why: 'A mapped value may contain a quote or a line break, which breaks JSON.',
      whatToDo:
        'Compare the body with an example in the API documentation. Remove quotes and line breaks from mapped values.',
    },
    {
      title: 'GET request has a body',
      messages: ["Body: a GET request can't have one. Empty the field, or choose another Method."],
      why: 'A GET request only reads, so the service ignores its body.',
      whatToDo: 'To filter the result, enter names and values in **Query**.',
    },
    {
      title: 'Service refused the step',
      messages: [message({ status: 405, message: 'This method is not allowed.' })],
      why: 'The service gave a reason that this integration has no advice for.',
      whatToDo: `Read the reason in the message. If it doesn't help, write to ${brand.support} and include the request ID.`,
    },
  ],
  'Failures of the service': [
    {
      title: 'Service failed',
      messages: [
        undefined,
        'Nothing was sent or changed. Try again later.',
        'The request may have succeeded. Check before you try again.',
        'The request may have succeeded. You can replay the run within 24 hours, and nothing is sent twice.',
      ].map((retryAdvice) => message({ status: 500, retryAdvice, requestId: 'req_5Tn8Lw' })),
      why: "The messaging service has a problem, which your Zap didn't cause. Most steps have already tried again for up to 20 seconds.",
      whatToDo:
        "Wait, then replay the run. If the message tells you to check, look in the messaging service first: the step may have sent your message, although its response was lost. Zapier stops such a run safely, so Autoreplay doesn't send the message again. With **Send Only Once Per**, a replay within 24 hours is safe, and Autoreplay can do it for you.",
    },
    {
      title: "Service didn't respond",
      messages: [
        "The messaging service didn't respond in time. Try again later. If the problem continues, check the API Base URL of the account.",
        "The messaging service didn't respond in time. The request may have succeeded. You can replay the run within 24 hours, and nothing is sent twice.",
        'The connection to the messaging service failed before a complete response arrived. Nothing was sent or changed. Try again later.',
        'The connection to the messaging service failed before a complete response arrived. The request may have succeeded. Check before you try again.',
        "The messaging service is too slow, so this step didn't start. Nothing was sent. Try again later.",
      ],
      why: 'The service is slow or down, or the address of the API is wrong.',
      whatToDo:
        'Do the same as when the [service failed](#service-failed). If every run has this problem, check **API Base URL**.',
    },
    {
      title: "Service didn't confirm the request",
      messages: [
        "The messaging service didn't confirm this request (status 401). The request may have succeeded. Check before you try again.",
      ],
      why: 'The response to your message was lost. When the step asked again, the service refused, for example because the token had just expired.',
      whatToDo:
        'Check the conversation in the messaging service, and replay the run only if the message is missing. If the status is 401 or 403, reconnect the account.',
    },
    {
      title: 'Unexpected response',
      messages: [
        'The messaging service returned an unexpected response (not the expected JSON). Try again later. If the problem continues, check the API Base URL of the account.',
        'The messaging service returned an unexpected response ("id" is missing or invalid). The request may have succeeded. Check before you try again.',
        'The messaging service sent a response over 20 MB. Try again later. If the problem continues, check the API Base URL of the account.',
      ],
      why: 'Often, the address belongs to a web page and not to the API. The service may also have a problem.',
      whatToDo: `If the step sends messages, check the conversation before you replay the run. Check **API Base URL**. If it is right, write to ${brand.support} and include the request ID from the message.`,
    },
    {
      title: 'Too many requests',
      messages: refusalMessages('rate_limited'),
      why: 'Many runs started at once.',
      whatToDo: 'Nothing. Zapier retries the step. If it happens often, add **Delay after queue** before the step.',
    },
  ],
};
