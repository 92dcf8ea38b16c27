import fc from 'fast-check';
import { fileNameOf } from './file-name-of';

describe('fileNameOf', () => {
  it.each([
    ['web1.example.com', 'web1.example.com'],
    ['a_B-9', 'a_B-9'],
    ['..', '%2E.'],
    ['../../etc/passwd', '%2E.%2F..%2Fetc%2Fpasswd'],
    ['/abs', '%2Fabs'],
    ['C:\\x', 'C%3A%5Cx'],
    ['a%2Fb', 'a%252Fb'],
    ['ü\n', '%C3%BC%0A'],
    ['', ''],
  ])('%j is %j', (certname, name) => {
    expect(fileNameOf(certname)).toBe(name);
  });

  it('cuts a long one off and tells it apart by a hash', () => {
    const long = 'x'.repeat(150);
    expect(fileNameOf(long)).toBe(long);
    expect(fileNameOf(`${long}y`)).toMatch(/^x{100}~[0-9a-f]{40}$/);
    expect(fileNameOf(`${long}y`)).not.toBe(fileNameOf(`${long}z`));
    expect(fileNameOf(`${'x'.repeat(99)}${'ü'.repeat(100)}`)).toMatch(/^x{99}~/);
  });

  it('never leaves its folder, and no two certnames have one name', () => {
    const certname = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('.', '/', '%', '2', 'E', 'a') }),
    );
    fc.assert(
      fc.property(certname, certname, (one, other) => {
        const name = fileNameOf(one);
        expect(name).toMatch(/^[A-Za-z0-9%_~.-]*$/);
        expect(name.startsWith('.')).toBe(false);
        expect(name === fileNameOf(other)).toBe(one === other);
      }),
    );
  });
});
