import { checkLimit, defaultLimits, limitEntry, limitNames, limitsWith, overLimit } from './index';

test('a refusal names the limit, its value and the setting', () => {
  const limits = { ...defaultLimits, packages: 3 };
  expect(() => checkLimit(limits, 'packages', 3)).not.toThrow();
  let refusal: unknown;
  try {
    checkLimit(limits, 'packages', 4);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({
    kind: 'malformed',
    code: 'wire.limit',
    message: expect.stringMatching(/^Too large: 4 packages .*; at most 3 are allowed\.$/) as string,
    hint: 'The setting NODELEDGER_MAX_PACKAGES changes this limit.',
  });
});

test('counting may stop at the limit', () => {
  expect(overLimit(defaultLimits, 'factLeaves').message).toMatch(/more than 25000 values in the facts of a node/);
});

test('a refusal names the setting of the limit that a limit follows, and no setting of a constant', () => {
  expect(overLimit(defaultLimits, 'factPathElements').hint).toBe(
    'The setting NODELEDGER_MAX_FACT_LEAVES changes this limit.',
  );
  expect(overLimit(defaultLimits, 'documentDepth').hint).toBeUndefined();
});

test('a limit that follows another one is a multiple of it', () => {
  expect(limitsWith({ factLeaves: 10 })).toMatchObject({
    factLeaves: 10,
    factPathElements: 400,
    factPathCharacters: 4_000,
  });
});

test('each limit has a setting with a default within its bounds, follows a limit, or is a constant with a reason', () => {
  const keys = limitNames.flatMap((name) => limitEntry(name).setting?.key ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  for (const name of limitNames) {
    const { value, setting, follows, reason } = limitEntry(name);
    expect([name, [setting, follows, reason].filter((one) => one !== undefined).length]).toEqual([name, 1]);
    if (setting !== undefined) expect(setting.from <= value && value <= setting.to).toBe(true);
    expect(defaultLimits[name]).toBe(value);
  }
});
