import { specialNumbers } from '../../lab/sandbox/domain/phone-numbers';
import { brand } from '../../src/brand';

/** What reviewers use. Until you fill in your own values, the numbers and the campaign are those of the sandbox. */
export const demoAccount = {
  /** Where the demo account shows its messages. */
  inbox: `${brand.app}/inbox`,
  /** Whom the demo account belongs to. Reviewers reset its password with this address. */
  email: 'integration-testing@zapier.com',
  /** The API Base URL of the test workspace. */
  api: brand.api,
  /** Where you publish `docs/openapi.json`. */
  apiDocumentation: 'https://docs.example.com/openapi.json',
  /** A number that replies on its own. */
  replies: specialNumbers.replies,
  /** A number that no message reaches. */
  fails: specialNumbers.failsLater,
  /** A contact who opted out. */
  optedOut: specialNumbers.optedOut,
  /** A small campaign that can be sent repeatedly. */
  campaign: 'Weekend parcel points',
  /** A campaign that you let fail, for example with a template that isn't approved. */
  failingCampaign: 'Weekend parcel points',
};
