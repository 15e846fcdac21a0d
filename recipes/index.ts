import { acuityReminder, calendlyReminder, googleCalendarReminder, outlookReminder } from './appointment-reminder';
import { arrivalCheck } from './arrival-check';
import { burstAnswer } from './burst-answer';
import { calendlyConfirmation } from './calendly-confirmation';
import { drivePhoto } from './drive-photo';
import { facebookLead } from './facebook-lead';
import { failureDigest } from './failure-digest';
import { gmailFailure } from './gmail-failure';
import { hubspotNote } from './hubspot-note';
import { invoicePdf } from './invoice-pdf';
import { mailchimpSubscriber } from './mailchimp-subscriber';
import { missedCall } from './missed-call';
import { openingHours } from './opening-hours';
import type { Recipe } from './recipe';
import { sheetsCampaign } from './sheets-campaign';
import { sheetsRow } from './sheets-row';
import { sheetsTicks } from './sheets-ticks';
import { shopifyOrder } from './shopify-order';
import { slackInbound } from './slack-inbound';
import { stopOptOut } from './stop-opt-out';
import { teamsCampaignFailure } from './teams-campaign-failure';
import { typeformContact } from './typeform-contact';
import { unansweredDigest } from './unanswered-digest';
import { zendeskTicket } from './zendesk-ticket';

/** Every ready-made Zap: what people do most comes first. */
export const recipes: readonly Recipe[] = [
  sheetsRow,
  shopifyOrder,
  googleCalendarReminder,
  facebookLead,
  missedCall,
  slackInbound,
  sheetsTicks,
  invoicePdf,
  outlookReminder,
  calendlyReminder,
  acuityReminder,
  calendlyConfirmation,
  openingHours,
  arrivalCheck,
  typeformContact,
  stopOptOut,
  unansweredDigest,
  burstAnswer,
  zendeskTicket,
  hubspotNote,
  drivePhoto,
  gmailFailure,
  failureDigest,
  sheetsCampaign,
  teamsCampaignFailure,
  mailchimpSubscriber,
];
