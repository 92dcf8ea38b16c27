import { isFault } from '#fault';
import { changeCondition, type ChangeFilter, changeKinds, readChangeFilter } from './change-filter';

const change = { kind: 'facts', certname: 'web1', environment: 'production' } as const;

test.each<[ChangeFilter, boolean]>([
  [{}, true],
  [{ kinds: ['facts', 'report'] }, true],
  [{ kinds: ['report'] }, false],
  [{ certnames: ['db1', 'web1'] }, true],
  [{ certnames: ['web'] }, false],
  [{ environments: ['production'] }, true],
  [{ environments: ['test'] }, false],
  [{ kinds: ['facts'], certnames: ['web1'], environments: ['test'] }, false],
])('%j chooses facts of web1 in production: %p', (filter, chosen) => {
  expect(readChangeFilter(JSON.parse(JSON.stringify(filter)))).toEqual(filter);
  expect(changeCondition(filter)(change)).toBe(chosen);
});

test('a condition on the environment leaves out changes without one', () => {
  expect(changeCondition({ environments: ['production'] })({ ...change, environment: null })).toBe(false);
});

test.each<[unknown, string]>([
  [[], 'a JSON object'],
  [{ kind: ['facts'] }, '"kind"'],
  [{ kinds: [] }, '1 to 100'],
  [{ kinds: 'facts' }, '1 to 100'],
  [{ kinds: ['fact'] }, changeKinds.join(', ')],
  [{ certnames: Array.from({ length: 101 }, (_, index) => `web${index}`) }, '1 to 100'],
  [{ certnames: ['x'.repeat(1_001)] }, '1 to 1000'],
  [{ certnames: ['a\0'] }, '1 to 1000'],
  [{ environments: [null] }, '1 to 1000'],
])('%j is not a filter', (value, reason) => {
  let refused: unknown;
  try {
    readChangeFilter(value);
  } catch (error) {
    refused = error;
  }
  if (!isFault(refused)) throw new Error('accepted');
  expect([refused.kind, refused.code]).toEqual(['malformed', 'changes.filter']);
  expect(refused.message).toContain(reason);
});
