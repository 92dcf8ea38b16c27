import type { Limits } from '#limits';
import { eachElement, readStrings } from '../check/elements';
import { Members } from '../check/members';
import { Problems } from '../check/problems';
import type { CatalogVersion } from '../catalog/v9';
import { edgeShape } from '../catalog/edges';
import { resourceShape } from '../catalog/resources';
import type { JsonText } from '../documents';
import { byUnits, canonicalStyle, rewrite } from '../json/rewrite';
import { JsonScan } from '../json/scan';
import { encodeString } from '../json/strings';
import { orNull } from './or-null';

/**
 * Converts the text of a catalog of any version to version 9. Sorts resources and edges, and removes duplicate edges.
 */
export function canonicalCatalog(text: string, version: CatalogVersion, limits: Limits): JsonText {
  const problems = new Problems(`replace catalog ${version.version}`);
  const members = new Members(new JsonScan(text, limits), version.shape, problems);
  members.open(0);
  const head = version.head(members);
  const certname = members.text('certname');
  const environment = members.textOrNull('environment');
  const time = members.time('producer_timestamp');
  const catalogVersion = members.text('version');
  problems.throwIfAny();
  const resources = resourcesOf(members.scan, members.start('resources'), problems);
  const edges = edgesOf(members.scan, members.start('edges'), problems);
  problems.throwIfAny();
  return (
    `{"catalog_uuid":${orNull(head.catalogUuid)},"certname":${encodeString(certname)},"code_id":${orNull(head.codeId)},` +
    `"edges":[${edges.join()}],"environment":${orNull(environment)},"job_id":${orNull(head.jobId)},` +
    `"producer":${orNull(head.producer)},"producer_timestamp":"${time}","resources":[${resources.join()}],` +
    `"transaction_uuid":${orNull(head.transactionUuid)},"version":${encodeString(catalogVersion)}}`
  );
}

/**
 * Returns the relevant members of each resource, sorted by type and title. Tags keep their order, because answers show
 * it.
 */
function resourcesOf(scan: JsonScan, start: number, problems: Problems): JsonText[] {
  const members = new Members(scan, resourceShape, problems, 2);
  members.base = 'resources';
  const found: { readonly key: string; readonly text: JsonText }[] = [];
  eachElement(scan, start, (pos, index) => {
    members.index = index;
    const end = members.open(pos);
    const parts: string[] = [];
    for (const name of ['exported', 'file', 'line', 'parameters'] as const) {
      if (members.has(name)) parts.push(`"${name}":${rewrite(scan.text, members.start(name), canonicalStyle)}`);
    }
    const tags = new Set(readStrings(scan, members.start('tags'), problems, () => members.path('tags')));
    const [type, title] = [members.text('type'), members.text('title')];
    parts.push(`"tags":[${[...tags].map(encodeString).join()}]`);
    parts.push(`"title":${encodeString(title)}`, `"type":${encodeString(type)}`);
    found.push({ key: `${type}\0${title}`, text: `{${parts.join()}}` });
    return end;
  });
  return found.sort((a, b) => byUnits(a.key, b.key)).map(({ text }) => text);
}

function edgesOf(scan: JsonScan, start: number, problems: Problems): JsonText[] {
  const members = new Members(scan, edgeShape, problems, 2);
  members.base = 'edges';
  const found = new Set<JsonText>();
  eachElement(scan, start, (pos, index) => {
    members.index = index;
    const end = members.open(pos);
    const [relationship, source, target] = (['relationship', 'source', 'target'] as const).map((name) =>
      rewrite(scan.text, members.start(name), canonicalStyle),
    );
    found.add(`{"relationship":${relationship},"source":${source},"target":${target}}`);
    return end;
  });
  return [...found].sort(byUnits);
}
