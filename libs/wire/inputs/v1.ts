import { defaultLimits, type Limits } from '#limits';
import type { WireCatalogInputs } from '../documents';
import { eachElement, readStrings } from '../check/elements';
import { describe, Members } from '../check/members';
import { Problems } from '../check/problems';
import { shape } from '../check/shape';
import { byUnits } from '../json/rewrite';
import { JsonScan } from '../json/scan';

type Input = readonly [string, string];

export const catalogInputsShape = shape(['certname', 'catalog_uuid'], ['producer_timestamp', 'inputs'], { open: true });

export function readCatalogInputs(text: string, limits: Limits = defaultLimits): WireCatalogInputs {
  const problems = new Problems('replace catalog inputs 1');
  const members = new Members(new JsonScan(text, limits), catalogInputsShape, problems);
  members.open(0);
  const certname = members.text('certname');
  const producerTimestamp = members.timeOrNull('producer_timestamp');
  const catalogUuid = members.uuidOrNull('catalog_uuid', false) ?? '';
  const inputs = readInputs(members);
  problems.throwIfAny();
  return { kind: 'inputs', certname, producerTimestamp, catalogUuid, inputs };
}

function readInputs<K extends string>(members: Members<K | 'inputs'>): readonly Input[] {
  const kind = members.kind('inputs');
  if (kind === undefined || kind === 'null') return [];
  if (kind !== 'array') {
    members.wrong('inputs', 'an array');
    return [];
  }
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
  return [...found.keys()].sort(byUnits).map((key) => found.get(key)!);
}
