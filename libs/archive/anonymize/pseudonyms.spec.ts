import { Pseudonyms } from './pseudonyms';

test('a UUID has the same pseudonym in all its spellings', () => {
  const pseudonyms = new Pseudonyms(Buffer.alloc(32, 7));
  const pseudonym = pseudonyms.uuid('0badcafe-0000-4000-8000-00000badcafe');
  expect(pseudonyms.uuid('{0BADCAFE-0000-4000-8000-00000BADCAFE}')).toBe(pseudonym);
  expect(pseudonyms.uuid('0badcafe00004000800000000badcafe')).toBe(pseudonym);
  expect(pseudonyms.uuid('0badcafe-0000-4000-8000-00000badcaff')).not.toBe(pseudonym);
});
