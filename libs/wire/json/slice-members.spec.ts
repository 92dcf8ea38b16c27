import { sliceMembers } from './slices';

const member = (text: string, name: string): string | undefined => sliceMembers(text, [name])?.found.get(name);

describe('sliceMembers', () => {
  it('gives the raw text of top-level members', () => {
    const body = '{ "command" : "replace facts", "payload" : {"n": [1.50, -0, 1E5] } ,"version":5}';
    expect(sliceMembers(body, ['payload', 'version', 'wait'])).toEqual({
      found: new Map([
        ['payload', '{"n": [1.50, -0, 1E5] }'],
        ['version', '5'],
      ]),
      others: ['command'],
    });
    expect(() => member(body.replace('-0', '1e400000000'), 'payload')).toThrow('not finite');
    expect(member('{"a":{"payload":1},"version": 5 }', 'version')).toBe('5');
  });

  it('takes the last of equal keys, and reads escapes in keys', () => {
    expect(member('{"a":1,"\\u0061":2}', 'a')).toBe('2');
    expect(sliceMembers('{"b":1,"b":2}', [])).toEqual({ found: new Map(), others: ['b'] });
  });

  it('gives nothing where there is no such member, or no object', () => {
    expect(member('{"a":{"b":1}}', 'b')).toBeUndefined();
    expect(member(' { } ', 'b')).toBeUndefined();
    expect(sliceMembers('[{"b":1}]', ['b'])).toBeUndefined();
    expect(sliceMembers(' 5 ', ['b'])).toBeUndefined();
  });

  it.each([
    '',
    '{',
    '{"a":1,"b":}',
    '{"a":1,}',
    '{,}',
    '{"a":1}}',
    '{"a":1 "b":2}',
    '{a:1}',
    '[1] 2',
    '{"a"}',
    '{"a":1',
  ])('refuses %j', (text) => {
    expect(() => sliceMembers(text, ['a'])).toThrow('Not JSON');
  });

  it('names few of very many other members', () => {
    const many = `{${Array.from({ length: 1_000 }, (_, n) => `"k${n}":1`).join()},"a":2}`;
    const { found, others } = sliceMembers(many, ['a']) ?? {};
    expect(found?.get('a')).toBe('2');
    expect(others?.slice(0, 2)).toEqual(['k0', 'k1']);
    expect(others?.length).toBeLessThan(50);
  });

  it('lets a member be as deep as a document', () => {
    const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(member(deep(1_000), 'a')).toHaveLength(2_000);
    expect(() => member(deep(1_001), 'a')).toThrow('more than 1000 levels');
  });
});
