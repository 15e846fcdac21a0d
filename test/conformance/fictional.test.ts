import { fictionalPhone } from '../../conformance/checks/fictional';

// Two contacts with one number would look like a difference of the service.
test('phone numbers for contacts only repeat after a thousand', () => {
  expect(new Set(Array.from({ length: 1000 }, fictionalPhone)).size).toBe(1000);
});
