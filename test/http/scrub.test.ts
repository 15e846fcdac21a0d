import { tokenScrubber } from '../../src/http/scrub';

test.each(['', 'a', 'order', '1234567'])('a token that no connection can have (%j) removes nothing', (token) => {
  expect(tokenScrubber(token)('order a 1 2 3 4 5 6 7')).toBe('order a 1 2 3 4 5 6 7');
});

test('a token of a connection is removed', () => {
  expect(tokenScrubber('12345678')('No 12345678')).toBe('No …');
  expect(tokenScrubber('12345678')('No 1234 5678')).toBe('…');
});
