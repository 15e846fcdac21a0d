import { acuityReminder } from './acuity-reminder';
import { appointmentReminder } from './appointment-reminder';
import { approvedAnswer } from './approved-answer';
import { approvedCampaign } from './approved-campaign';
import { arrivalCheck } from './arrival-check';
import { calendlyConfirmation } from './calendly-confirmation';
import { campaignFollowUp } from './campaign-follow-up';
import { drivePhoto } from './drive-photo';
import { facebookLead } from './facebook-lead';
import { gmailFailure } from './gmail-failure';
import { hubspotNote } from './hubspot-note';
import { invoicePdf } from './invoice-pdf';
import { mailchimpUnsubscribe } from './mailchimp-unsubscribe';
import { missedCall } from './missed-call';
import { openingHours } from './opening-hours';
import type { Recipe } from './recipe';
import { sheetsRow } from './sheets-row';
import { sheetsTicks } from './sheets-ticks';
import { shopifyOrder } from './shopify-order';
import { slackInbound } from './slack-inbound';
import { stopOptOut } from './stop-opt-out';
import { typeformContact } from './typeform-contact';
import { unansweredDigest } from './unanswered-digest';

/** Every ready-made Zap: the most common ones come first. */
export const recipes: readonly Recipe[] = [
  sheetsRow,
  shopifyOrder,
  appointmentReminder,
  facebookLead,
  missedCall,
  slackInbound,
  acuityReminder,
  sheetsTicks,
  invoicePdf,
  calendlyConfirmation,
  openingHours,
  arrivalCheck,
  typeformContact,
  stopOptOut,
  unansweredDigest,
  approvedAnswer,
  campaignFollowUp,
  approvedCampaign,
  mailchimpUnsubscribe,
  hubspotNote,
  drivePhoto,
  gmailFailure,
];
