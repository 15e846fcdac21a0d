import { specialNumbers } from '../../sandbox/domain/phone-numbers';

/** What a new customer writes. It starts the Zap that the page begins with. */
export const firstMessage = 'Hello, where is my parcel?';

/** Customers whose messages have a special outcome. */
export const quickCustomers = [
  { phone: specialNumbers.replies, label: 'Always replies' },
  { phone: specialNumbers.neverReads, label: 'Never reads' },
  { phone: specialNumbers.failsLater, label: 'Messages fail later' },
  { phone: specialNumbers.optedOut, label: 'Has opted out' },
  { phone: specialNumbers.unreachable, label: "Can't be reached" },
  { phone: '@mila.h', label: 'Hides the number' },
] as const;
