import { entryKinds } from './entry-kinds';
import { entryName, readEntryName } from './entry-name';

const sha1OfText = '[0-9a-f]{40}';

describe('names of entries', () => {
  it.each([
    ['facts', 'puppetdb-bak/facts/web1\\.json'],
    ['catalog', `puppetdb-bak/catalogs/web1-${sha1OfText}\\.json`],
    ['catalog inputs', `puppetdb-bak/catalog_inputs/web1-${sha1OfText}\\.json`],
    ['report', `puppetdb-bak/reports/web1-${sha1OfText}\\.json`],
    ['configure expiration', `puppetdb-bak/configure_expiration/web1-${sha1OfText}\\.json`],
    ['node state', 'puppetdb-bak/node_states/web1\\.json'],
  ] as const)('%s', (kind, pattern) => {
    const entry = { kind, certname: 'web1', inactive: false, text: '{}' };
    expect(entryName('puppetdb-bak', entry)).toMatch(new RegExp(`^${pattern}$`));
  });

  it('are read as they were written', () => {
    for (const { kind } of entryKinds) {
      for (const inactive of [true, false]) {
        const path = entryName('nodeledger-bak', { kind, certname: '../a', inactive, text: '{}' });
        const stands = inactive && kind !== 'node state';
        expect(readEntryName(path)).toEqual({ root: 'nodeledger-bak', holds: 'document', kind, inactive: stands });
      }
    }
  });

  it('keep the documents of inactive nodes away from an import that does not know them', () => {
    const path = entryName('puppetdb-bak', { kind: 'facts', certname: 'a', inactive: true, text: '{}' });
    expect(path).toBe('puppetdb-bak/inactive/facts/a.json');
  });

  it.each([
    ['puppetdb-bak/export-metadata.json', { root: 'puppetdb-bak', holds: 'metadata' }],
    ['nodeledger-bak/metadata.json', { root: 'nodeledger-bak', holds: 'metadata' }],
    // PuppetDB does not escape certnames.
    ['puppetdb-bak/facts/a/../b.json', { root: 'puppetdb-bak', holds: 'document', kind: 'facts', inactive: false }],
  ])('%s is read', (path, name) => {
    expect(readEntryName(path)).toEqual(name);
  });

  it.each([
    'facts/a.json',
    'other-bak/facts/a.json',
    'puppetdb-bak/facts/a.txt',
    'puppetdb-bak/facts/.json',
    'puppetdb-bak/resources/a.json',
    'puppetdb-bak/inactive/a.json',
    'puppetdb-bak/metadata.json/a.json',
    'puppetdb-bak/inactive/export-metadata.json',
    'puppetdb-bak',
    '',
  ])('%j holds nothing', (path) => {
    expect(readEntryName(path)).toBeUndefined();
  });
});
