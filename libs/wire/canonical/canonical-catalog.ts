import type { Limits } from '#limits';
import { readObjects, readStrings } from '../check/elements';
import { documentReader } from '../check/document-reader';
import type { Members } from '../check/members';
import type { CatalogVersion } from '../catalog/v9';
import { edgeShape } from '../catalog/edges';
import { resourceShape } from '../catalog/resources';
import type { JsonText } from '../documents';
import { canonicalStyle, rewrite } from '../json/rewrite';
import { encodeString } from '../json/strings';
import { orNull } from './or-null';

export function canonicalCatalog(text: string, version: CatalogVersion, limits: Limits): JsonText {
  const read = documentReader(`replace catalog ${version.version}`, version.shape, (members) => {
    const head = version.head(members);
    const certname = members.text('certname');
    const environment = members.textOrNull('environment');
    const time = members.time('producer_timestamp');
    const catalogVersion = members.text('version');
    members.problems.throwIfAny();
    return (
      `{"catalog_uuid":${orNull(head.catalogUuid)},"certname":${encodeString(certname)},"code_id":${orNull(head.codeId)},` +
      `"edges":[${edgesOf(members).join()}],"environment":${orNull(environment)},"job_id":${orNull(head.jobId)},` +
      `"producer":${orNull(head.producer)},"producer_timestamp":"${time}","resources":[${resourcesOf(members).join()}],` +
      `"transaction_uuid":${orNull(head.transactionUuid)},"version":${encodeString(catalogVersion)}}`
    );
  });
  return read(text, limits);
}

/** Tags keep their order, because answers show the order. */
function resourcesOf<K extends string>(catalog: Members<K | 'resources'>): JsonText[] {
  const { scan, problems } = catalog;
  const found = readObjects(catalog, 'resources', resourceShape, (members) => {
    const parts: string[] = [];
    for (const name of ['exported', 'file', 'line', 'parameters'] as const) {
      if (members.has(name)) parts.push(`"${name}":${rewrite(scan.text, members.start(name), canonicalStyle)}`);
    }
    const tags = new Set(readStrings(scan, members.start('tags'), problems, () => members.path('tags')));
    const [type, title] = [members.text('type'), members.text('title')];
    parts.push(`"tags":[${[...tags].map(encodeString).join()}]`);
    parts.push(`"title":${encodeString(title)}`, `"type":${encodeString(type)}`);
    return { key: `${type}\0${title}`, text: `{${parts.join()}}` };
  });
  return found.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ text }) => text);
}

function edgesOf<K extends string>(catalog: Members<K | 'edges'>): JsonText[] {
  const { text } = catalog.scan;
  const found = readObjects(catalog, 'edges', edgeShape, (members) => {
    const [relationship, source, target] = (['relationship', 'source', 'target'] as const).map((name) =>
      rewrite(text, members.start(name), canonicalStyle),
    );
    return `{"relationship":${relationship},"source":${source},"target":${target}}`;
  });
  return [...new Set(found)].sort();
}
