import { checkLimit, defaultLimits, limitNames, limitTable, overLimit } from './index';

test('a refusal names the limit, its value and the setting', () => {
  const limits = { ...defaultLimits, queryColumns: 3 };
  expect(() => checkLimit(limits, 'queryColumns', 3)).not.toThrow();
  let refusal: unknown;
  try {
    checkLimit(limits, 'queryColumns', 4);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({
    kind: 'malformed',
    code: 'query.limit',
    message: expect.stringMatching(/^Too large: 4 columns .*; at most 3 are allowed\.$/) as string,
    hint: 'The setting NODELEDGER_MAX_COLUMNS changes this limit.',
  });
});

test('counting may stop at the limit', () => {
  expect(overLimit(defaultLimits, 'factLeaves').message).toMatch(/more than 25000 values in the facts of a node/);
});

test('each limit has a setting of its own and a default within its bounds', () => {
  expect(new Set(limitNames.map((name) => limitTable[name].key)).size).toBe(limitNames.length);
  for (const name of limitNames) {
    const { value, from, to } = limitTable[name];
    expect(from <= value && value <= to).toBe(true);
  }
});
