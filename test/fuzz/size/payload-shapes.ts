/** Payloads that are long, wide or deep: a valid document in which one place grows, or a text that is not JSON. */
import { catalog, edge, event, factset, report, resource } from '../../support/documents';
import { certname, payloadDocuments, type PayloadName } from './payload-documents';
import { times, type Grow } from './shape';

type Json = unknown;
type Place = readonly (string | number)[];

const numbered = (text: string, index: number): string => text.replaceAll('§', String(index));
const isMap = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every place of a document except its root (`''`): `resources.0.tags`. */
function placesOf(value: Json, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  const members = Array.isArray(value) ? value.map((one, index) => [index, one] as const) : Object.entries(value);
  return [place, ...members.flatMap(([key, one]) => placesOf(one, [...place, key]))];
}

/** Returns the new text of a place, made from its old value. */
type Grown = (value: Json, n: number) => string | undefined;

const anyValue =
  (grow: Grow): Grown =>
  (_, n) =>
    grow(n);
const onlyArray =
  (grow: (first: string, n: number) => string): Grown =>
  (value, n) =>
    Array.isArray(value) && value.length > 0 ? grow(JSON.stringify(value[0]), n) : undefined;
const onlyMap =
  (grow: (members: readonly string[], n: number) => string): Grown =>
  (value, n) =>
    isMap(value) && Object.keys(value).length > 0
      ? grow(
          Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`),
          n,
        )
      : undefined;

export const growths: Readonly<Record<string, Grown>> = {
  'n times': onlyArray((first, n) => `[${times(n, (i) => numbered(first, i), ',')}]`),
  'n times the same': onlyArray((first, n) => `[${times(n, first, ',')}]`),
  'n more keys': onlyMap(
    (members, n) => `{${[...members, ...Array.from({ length: n }, (_, i) => `"k${i}":${i}`)].join(',')}}`,
  ),
  'a member n times': onlyMap(
    ([first = '"a":1', ...others], n) =>
      `{${[...Array.from({ length: n }, (_, i) => numbered(first, i)), ...others].join(',')}}`,
  ),
  'n equal keys': onlyMap((members, n) => `{${[...members, ...Array.from({ length: n }, () => '"k":1')].join(',')}}`),
  'a text of n characters': anyValue((n) => `"${'x'.repeat(n)}"`),
  'n escapes': anyValue((n) => `"${'\\u00e4'.repeat(n)}"`),
  'n NULs': anyValue((n) => `"${'\\u0000'.repeat(n)}"`),
  'n half surrogates': anyValue((n) => `"${'\\ud800'.repeat(n)}"`),
  'a number of n digits': anyValue((n) => '7'.repeat(n)),
  'a fraction of n digits': anyValue((n) => `0.${'3'.repeat(n)}`),
  'an exponent of n digits': anyValue((n) => `1e${'9'.repeat(n)}`),
  'a list n deep': anyValue((n) => '['.repeat(n) + ']'.repeat(n)),
  'a map n deep': anyValue((n) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`),
  'n numbers': anyValue((n) => `[${times(n, String, ',')}]`),
  'n texts': anyValue((n) => `[${times(n, (i) => `"t${i}"`, ',')}]`),
  'n numbers, 900 deep': anyValue((n) => `${'['.repeat(900)}${times(n, '1', ',')}${']'.repeat(900)}`),
  'n keys, 900 deep': anyValue((n) => `${'{"a":'.repeat(900)}{${times(n, (i) => `"k${i}":1`, ',')}}${'}'.repeat(900)}`),
};

const mark = '@@grown@@';

function put(value: Json, [key, ...rest]: Place, text: string): Json {
  if (key === undefined) return text;
  if (Array.isArray(value)) return value.map((one, index): Json => (index === key ? put(one, rest, text) : one));
  return isMap(value) ? { ...value, [key]: put(value[key], rest, text) } : value;
}
const at = (value: Json, place: Place): Json =>
  place.reduce<Json>((inner, key) => (inner as Record<string, Json>)[key], value);

/** The places of a payload by name: `values.os.release`, `resources.0.tags`. */
export const payloadPlaces = (name: PayloadName): ReadonlyMap<string, Place> =>
  new Map(placesOf(payloadDocuments[name]).map((place) => [place.join('.'), place]));

/** The ways in which a place of a payload can grow. */
export function growthsAt(name: PayloadName, place: Place): string[] {
  const value = at(payloadDocuments[name], place);
  return Object.keys(growths).filter((growth) => growths[growth]?.(value, 1) !== undefined);
}

/** Returns the text of the payload with one grown place. */
export function grownPayload(name: PayloadName, placeName: string, growth: string, n: number): string {
  const document = payloadDocuments[name];
  const place = payloadPlaces(name).get(placeName);
  const grow = growths[growth];
  const text = place === undefined ? undefined : grow?.(at(document, place), n);
  if (place === undefined || text === undefined) throw new Error(`nothing to grow: ${name} ${placeName} ${growth}`);
  return numbered(JSON.stringify(put(document, place, mark)), 0).replace(`"${mark}"`, () => numbered(text, 0));
}

const catalogOf = (resources: unknown[], edges: unknown[]): string =>
  JSON.stringify(catalog(certname, resources, edges));
const titles = (n: number): string[] => Array.from({ length: n }, (_, index) => `/r${index}`);

/** Payloads in which several places grow together. */
export const wholePayloads: Readonly<Record<string, { readonly of: PayloadName; readonly grow: Grow }>> = {
  'n numbers in 900 lists': {
    of: 'replace facts 5',
    grow: (n) => grownPayload('replace facts 5', 'values.kernel', 'n numbers, 900 deep', n),
  },
  'n numbers under a name of 1,000 characters': {
    of: 'replace facts 5',
    grow: (n) => JSON.stringify(factset(certname, { ['k'.repeat(1_000)]: Array.from({ length: n }, () => 1) })),
  },
  'n events of a resource with a title of 10,000 characters': {
    of: 'store report 8',
    grow: (n) => {
      const made = report(
        certname,
        Array.from({ length: n }, (_, index) => event(`p${index}`)),
      );
      const [status] = made['resources'] as Record<string, unknown>[];
      return JSON.stringify({ ...made, resources: [{ ...status, resource_title: 't'.repeat(10_000) }] });
    },
  },
  'n resources in a chain': {
    of: 'replace catalog 9',
    grow: (n) =>
      catalogOf(
        titles(n).map((title) => resource(title)),
        titles(n)
          .slice(1)
          .map((title, index) => edge(`/r${index}`, title)),
      ),
  },
  'n edges between few resources': {
    of: 'replace catalog 9',
    grow: (n) => {
      const few = titles(Math.ceil(Math.sqrt(n / 5)) + 2);
      const kinds = ['before', 'contains', 'notifies', 'required-by', 'subscription-of'];
      const edges = few.flatMap((from) => few.flatMap((to) => kinds.map((kind) => edge(from, to, kind))));
      return catalogOf(
        few.map((title) => resource(title)),
        edges.slice(0, n),
      );
    },
  },
  'n aliases': {
    of: 'replace catalog 9',
    grow: (n) => catalogOf([resource('/a', { parameters: { alias: titles(n) } })], []),
  },
  'n open brackets': { of: 'replace facts 5', grow: (n) => '['.repeat(n) },
  'n open braces': { of: 'replace catalog 9', grow: (n) => '{"resources":'.repeat(n) },
  'n blanks': { of: 'store report 8', grow: (n) => ' '.repeat(n) },
  'n letters': { of: 'deactivate node 3', grow: (n) => 'x'.repeat(n) },
  'an unclosed text': { of: 'replace facts 5', grow: (n) => `{"certname":"${'x'.repeat(n)}` },
  'n backslashes': { of: 'replace facts 5', grow: (n) => `{"certname":"${'\\'.repeat(n)}` },
};
