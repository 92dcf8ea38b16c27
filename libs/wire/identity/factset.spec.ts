import { encodeString } from '../json/strings';
import { inventoryText } from './factset';

describe('inventoryText', () => {
  it.each(['apt', 'a"b\\c', 'tab\tline\n', '\u001f', 'C:\\users', '\u2028\u00fc\u{1F600}'])(
    'spells the package %j as other texts are spelled',
    (name) => {
      const packages = [[name, '1', 'apt'] as const, ['z', '2', name] as const];
      const texts = packages.map((one) => `[${one.map(encodeString).join()}]`);
      expect(inventoryText(packages, JSON.stringify(packages))).toBe(`[${texts.join()}]`);
    },
  );
});
