import { acuityReminder, calendlyReminder, googleCalendarReminder, outlookReminder } from './appointment-reminder';
import { approvedAnswer } from './approved-answer';
import { approvedCampaign } from './approved-campaign';
import { arrivalCheck } from './arrival-check';
import { burstAnswer } from './burst-answer';
import { calendlyConfirmation } from './calendly-confirmation';
import { campaignFollowUp, campaignTextMessage } from './campaign-follow-up';
import { drivePhoto } from './drive-photo';
import { facebookLead } from './facebook-lead';
import { failureDigest } from './failure-digest';
import { gmailFailure } from './gmail-failure';
import { hubspotNote } from './hubspot-note';
import { invoicePdf } from './invoice-pdf';
import { mailchimpSubscriber } from './mailchimp-subscriber';
import { mailchimpUnsubscribe } from './mailchimp-unsubscribe';
import { missedCall } from './missed-call';
import { openingHours } from './opening-hours';
import type { Recipe } from './recipe';
import { sheetsCampaign } from './sheets-campaign';
import { sheetsContacts } from './sheets-contacts';
import { sheetsRow } from './sheets-row';
import { sheetsTicks } from './sheets-ticks';
import { shopifyOrder } from './shopify-order';
import { slackInbound } from './slack-inbound';
import { stopOptOut } from './stop-opt-out';
import { stopOptOutGrowth } from './stop-opt-out-growth';
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
  stopOptOutGrowth,
  unansweredDigest,
  burstAnswer,
  approvedAnswer,
  campaignFollowUp,
  mailchimpUnsubscribe,
  zendeskTicket,
  hubspotNote,
  drivePhoto,
  gmailFailure,
  failureDigest,
  approvedCampaign,
  campaignTextMessage,
  sheetsCampaign,
  teamsCampaignFailure,
  mailchimpSubscriber,
  sheetsContacts,
];
