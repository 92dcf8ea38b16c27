import { encodeString } from '../json/strings';
import { factsetHash } from './factset';
import { sha1 } from './sha1';

describe('factsetHash', () => {
  it.each(['apt', 'a"b\\c', 'tab\tline\n', '\u001f', 'C:\\users', '\u2028\u00fc\u{1F600}'])(
    'spells the package %j as other texts are spelled',
    (name) => {
      const packages = [[name, '1', 'apt'] as const, ['z', '2', name] as const];
      const texts = packages.map((one) => `[${one.map(encodeString).join()}]`);
      expect(factsetHash({ certname: 'a', environment: null, packages, values: '{}' })).toBe(
        sha1(`{"certname":"a","environment":null,"package_inventory":[${texts.join()}],"values":{}}`),
      );
    },
  );
});
