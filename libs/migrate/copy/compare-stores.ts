import { catalogCommand, factsCommand, inputsCommand, reportCommand } from './documents';
import { countedEntities, type CountedEntity, type Entity, type Store } from './store';

export interface CountRow {
  readonly entity: CountedEntity;
  readonly source: number;
  readonly target: number;
}

export interface StoreComparison {
  readonly counts: readonly CountRow[];
  readonly nodes: number;
  readonly documents: number;
  readonly differences: readonly string[];
}

const reportsOfEach = 3;

export async function compareStores(
  source: Store,
  target: Store,
  certnames: readonly string[],
): Promise<StoreComparison> {
  const counts: CountRow[] = [];
  for (const entity of countedEntities) {
    const [here, there] = await Promise.all([source.count(entity), target.count(entity)]);
    counts.push({ entity, source: here, target: there });
  }
  const differences: string[] = [];
  let documents = 0;
  for (const certname of certnames) {
    const [here, there] = await Promise.all([documentsOf(source, certname), documentsOf(target, certname)]);
    for (const name of new Set([...here.keys(), ...there.keys()])) {
      documents += 1;
      const [one, other] = [here.get(name), there.get(name)];
      if (one === other) continue;
      const what =
        one === undefined
          ? 'only at the target'
          : other === undefined
            ? 'only at the source'
            : describeDifference(one, other);
      differences.push(`${name} of ${certname}: ${what}`);
    }
  }
  return { counts, nodes: certnames.length, documents, differences };
}

/** Returns nodes at equal distances in the list of all nodes, so that the choice is the same each time. */
export async function sampleOf(source: Store, size: number): Promise<string[]> {
  const certnames = await source.certnames();
  const step = Math.max(1, Math.floor(certnames.length / Math.max(1, size)));
  return certnames.filter((_, index) => index % step === 0).slice(0, size);
}

/**
 * Returns a map from the name of each document, as messages show it, to its canonical text. The text of a document is
 * the payload of the command that would submit it. For facts and catalogs, the text also contains the hash that the
 * server returns.
 */
async function documentsOf(store: Store, certname: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const keys = async (entity: Entity): Promise<ReadonlyMap<string, string>> =>
    new Map(
      (await store.keys(entity, [certname])).map(({ hash = '', producerTimestamp }) => [hash, producerTimestamp ?? '']),
    );
  const [facts, catalog, inputs] = await Promise.all([
    store.document('factsets', certname),
    store.document('catalogs', certname),
    store.document('catalog-inputs', certname),
  ]);
  const hashOf = async (entity: Entity): Promise<string> => [...(await keys(entity)).keys()].join();
  if (facts !== undefined) {
    const { payload } = factsCommand(facts, await store.packages(certname));
    found.set('facts', canonical({ hash: await hashOf('factsets'), document: JSON.parse(payload) as unknown }));
  }
  if (catalog !== undefined) {
    const { payload } = catalogCommand(catalog);
    found.set('catalog', canonical({ hash: await hashOf('catalogs'), document: JSON.parse(payload) as unknown }));
  }
  if (inputs !== undefined) found.set('catalog inputs', canonical(JSON.parse(inputsCommand(inputs).payload)));
  const reports = await keys('reports');
  const newest = [...reports]
    .sort(([a, one], [b, other]) => (`${one}${a}` < `${other}${b}` ? 1 : -1))
    .slice(0, reportsOfEach);
  for (const text of newest.length === 0 ? [] : await store.reports(newest.map(([hash]) => hash))) {
    const { hash } = JSON.parse(text) as { hash: string };
    found.set(`report ${hash}`, canonical(JSON.parse(reportCommand(text).payload)));
  }
  const state = (await store.nodesNamed([certname])).get(certname);
  const { deactivated, expiresFacts, expiresFactsUpdated } = state ?? {};
  found.set('state', canonical({ deactivated, expiresFacts, expiresFactsUpdated }));
  return found;
}

/** Members whose lists have no defined order. */
const unordered = new Set(['resources', 'edges', 'tags', 'package_inventory', 'inputs', 'metrics', 'events']);

function canonical(value: unknown, name = ''): string {
  if (Array.isArray(value)) {
    const elements = value.map((element) => canonical(element));
    return `[${(unordered.has(name) ? elements.sort() : elements).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member, key)}`)
    .join(',')}}`;
}

const shownCharacters = 60;

function describeDifference(one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const from = Math.max(0, at - shownCharacters / 2);
  const show = (text: string): string => text.slice(from, from + shownCharacters);
  return `differs: source …${show(one)}…, target …${show(other)}…`;
}
