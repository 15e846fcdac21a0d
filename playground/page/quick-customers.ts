import { specialNumbers } from '../../sandbox/domain/phone-numbers';

/** Customers whose messages have a special outcome. */
export const quickCustomers = [
  { phone: specialNumbers.replies, label: 'Answers by herself' },
  { phone: specialNumbers.neverReads, label: 'Never reads' },
  { phone: specialNumbers.failsLater, label: 'Fails after sending' },
  { phone: specialNumbers.optedOut, label: 'Opted out' },
  { phone: specialNumbers.unreachable, label: "Can't be reached" },
];
