import { isMap, type Json, JsonNumber, type JsonMap, writeTree } from './json-tree';
import { change, mapsOf, type Replacements, textOf } from './replacements';
import { sortedBy } from './sorted';

const references = new Set(['require', 'before', 'notify', 'subscribe']);

export function anonymizeCatalog(catalog: JsonMap, to: Replacements): void {
  change(catalog, 'environment', (name) => to.environment(name));
  change(catalog, 'transaction_uuid', (uuid) => to.uuid(uuid));
  change(catalog, 'catalog_uuid', (uuid) => to.uuid(uuid));
  change(catalog, 'code_id', (id) => (to.rules.rest ? to.pseudonyms.hex('code', id) : id));
  change(catalog, 'job_id', (id) => to.rest('job', id));
  change(catalog, 'version', (version) => to.rest('version', version));
  const resources = mapsOf(catalog.get('resources'));
  for (const resource of resources) anonymizeResource(resource, to);
  catalog.set(
    'resources',
    sortedBy(resources, (one) => `${textOf(one, 'type')}\0${textOf(one, 'title')}`),
  );
  const edges = mapsOf(catalog.get('edges'));
  for (const edge of edges) {
    for (const end of ['source', 'target']) {
      const named = edge.get(end);
      if (isMap(named)) anonymizeName(named, 'type', 'title', to);
    }
  }
  catalog.set('edges', sortedBy(edges, writeTree));
}

export function anonymizeName(map: JsonMap, type: string, title: string, to: Replacements): void {
  const before = textOf(map, type);
  change(map, title, (text) => to.title(before, text));
  change(map, type, (text) => to.type(text));
}

export function anonymizeLocation(map: JsonMap, to: Replacements): void {
  const [file, line] = [map.get('file'), map.get('line')];
  if (typeof file === 'string') map.set('file', to.file(file));
  // PuppetDB stores the file as text even if the document has a number.
  else if (file instanceof JsonNumber) map.set('file', to.file(file.text));
  if (line instanceof JsonNumber) map.set('line', to.line(line));
}

function anonymizeResource(resource: JsonMap, to: Replacements): void {
  const type = textOf(resource, 'type');
  const tags = resource.get('tags');
  resource.set(
    'tags',
    to.names(tags ?? [], (tag) => to.tag(tag)),
  );
  const parameters = resource.get('parameters');
  if (isMap(parameters)) {
    resource.set('parameters', new Map([...parameters].map((one) => anonymizeParameter(one, type, to))));
  }
  anonymizeLocation(resource, to);
  anonymizeName(resource, 'type', 'title', to);
}

function anonymizeParameter([name, value]: [string, Json], type: string, to: Replacements): [string, Json] {
  if (name === 'tag') return [name, to.names(value, (tag) => to.tag(tag))];
  if (name === 'stage') return [name, to.names(value, (title) => to.title('Stage', title))];
  if (name === 'alias') return [name, to.names(value, (title) => to.title(type, title))];
  if (references.has(name)) return [name, to.names(value, (text) => to.reference(text))];
  return [to.parameterName(name), to.value(value)];
}
