import { metadataText, readMetadata, writtenVersions } from './metadata';

describe('the metadata of an archive', () => {
  it('tells versions, counts and the newest time, in sorted keys', () => {
    const text = metadataText(new Map([['facts', 2]]), '2024-01-01T00:00:00.000Z', 'full');
    expect(text).toBe(
      '{"anonymization_profile":"full","command_versions":{"configure_expiration":1,"replace_catalog":9,' +
        '"replace_catalog_inputs":1,"replace_facts":5,"restore_node":1,"store_report":8},' +
        '"documents":{"catalog_inputs":0,"catalogs":0,"configure_expiration":0,"facts":2,"node_states":0,"reports":0},' +
        '"timestamp":"2024-01-01T00:00:00.000Z"}',
    );
    expect(readMetadata(text)).toMatchObject({
      commandVersions: writtenVersions,
      timestamp: '2024-01-01T00:00:00.000Z',
      documents: { facts: 2 },
      anonymizationProfile: 'full',
    });
  });

  it('of PuppetDB is read', () => {
    const text = '{"timestamp" : "2026-01-01T00:00:00.000Z", "command_versions" : {"replace_facts": 4}}';
    expect(readMetadata(text)).toEqual({
      commandVersions: { replace_facts: 4 },
      timestamp: '2026-01-01T00:00:00.000Z',
    });
  });

  it.each(['', '[]', 'null', '{}', '{"command_versions":[]}', '{"command_versions":{"a":"1"}}'])(
    '%j is none',
    (text) => {
      expect(readMetadata(text)).toBeUndefined();
    },
  );
});
