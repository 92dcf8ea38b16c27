import type { WireCatalogInputs } from '../documents';
import { eachElement, readStrings } from '../check/elements';
import { describe, type Members } from '../check/members';
import { documentReader } from '../check/document-reader';
import { shape } from '../check/shape';

type Input = readonly [string, string];

export const catalogInputsShape = shape(['certname', 'catalog_uuid'], ['producer_timestamp', 'inputs'], { open: true });

export const readCatalogInputs = documentReader(
  'replace catalog inputs 1',
  catalogInputsShape,
  (members): WireCatalogInputs => ({
    kind: 'inputs',
    certname: members.text('certname'),
    producerTimestamp: members.timeOrNull('producer_timestamp'),
    catalogUuid: members.uuidOrNull('catalog_uuid', false) ?? '',
    inputs: readInputs(members),
  }),
);

function readInputs<K extends string>(members: Members<K | 'inputs'>): readonly Input[] {
  if (!members.isArray('inputs', { nullable: true })) return [];
  const { scan, problems } = members;
  const found = new Map<string, Input>();
  const read = (pos: number, index: number): number => {
    const path = `inputs[${index}]`;
    const expected = 'an array of type and name';
    if (scan.text.charCodeAt(pos) !== 0x5b) problems.add(path, expected, describe(scan.text, pos));
    else {
      const pair = readStrings(scan, pos, problems, () => path);
      if (pair.length !== 2) problems.add(path, expected, `an array of ${pair.length} strings`);
      else found.set(pair.join('\0'), pair as unknown as Input);
    }
    return scan.skip(pos);
  };
  eachElement(scan, members.start('inputs'), read, 'inputs');
  return [...found.keys()].sort().map((key) => found.get(key)!);
}
