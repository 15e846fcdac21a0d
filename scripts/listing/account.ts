import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { brand } from '../../src/brand';

/** What reviewers use besides the login. Until you fill in your own numbers and campaign, they are those of the sandbox. */
export const demoAccount = {
  /** Where the demo account shows its messages. */
  inbox: `${brand.app}/inbox`,
  /** A number that replies on its own. */
  replies: specialNumbers.replies,
  /** A number that no message reaches. */
  fails: specialNumbers.failsLater,
  /** A small campaign that can be sent repeatedly. */
  campaign: 'Weekend parcel points',
};
