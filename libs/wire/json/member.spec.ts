import { sliceMember } from './member';

describe('sliceMember', () => {
  it('gives the raw text of a top-level member', () => {
    const body = '{ "command" : "replace facts", "payload" : {"n": [1.50, 1e400000000, 1E5] } ,"version":5}';
    expect(() => sliceMember(body, 'payload')).toThrow('not finite');
    expect(sliceMember(body.replace('1e400000000', '-0'), 'payload')).toBe('{"n": [1.50, -0, 1E5] }');
    expect(sliceMember('{"a":{"payload":1},"version": 5 }', 'version')).toBe('5');
  });

  it('takes the last of equal keys, and reads escapes in keys', () => {
    expect(sliceMember('{"a":1,"\\u0061":2}', 'a')).toBe('2');
  });

  it('gives nothing where there is no such member', () => {
    expect(sliceMember('{"a":{"b":1}}', 'b')).toBeUndefined();
    expect(sliceMember('{}', 'b')).toBeUndefined();
    expect(sliceMember('[{"b":1}]', 'b')).toBeUndefined();
  });

  it('refuses what is not JSON, also behind the member', () => {
    expect(() => sliceMember('{"a":1,"b":}', 'a')).toThrow('Not JSON');
  });
});
