/** Paths, parameters and headers of queries that are long, wide or deep. */
import { times, type Grow } from './shape';

/** Path below the query root, as in a URL. */
export const pathShapes: Readonly<Record<string, Grow>> = {
  'a certname of n characters': (n) => `nodes/${'c'.repeat(n)}`,
  'n segments': (n) => `nodes${'/a'.repeat(n)}`,
  'n slashes': (n) => `nodes${'/'.repeat(n)}`,
  'n encoded slashes': (n) => `facts/${'%2F'.repeat(n)}`,
  'n percent signs': (n) => `facts/${'%'.repeat(n)}`,
  'n bytes that are no UTF-8': (n) => `facts/${'%FF'.repeat(n)}`,
  'n NULs': (n) => `facts/${'%00'.repeat(n)}`,
  'n dots': (n) => `facts/${'../'.repeat(n)}`,
  'a value of n characters': (n) => `facts/kernel/${'v'.repeat(n)}`,
  'a type and title of n characters': (n) => `resources/${'T'.repeat(n)}/${'t'.repeat(n)}`,
  'a report of n digits': (n) => `reports/${'0'.repeat(n)}/events`,
};

interface ParameterShape {
  readonly path: string;
  /** The parameters except the one that grows. */
  readonly rest?: Readonly<Record<string, string>>;
  /** The name of the growing parameter. If it is missing, `grow` returns the whole query string. */
  readonly name?: string;
  readonly grow: Grow;
}

const window = {
  distinct_resources: 'true',
  distinct_start_time: '2024-01-01T00:00:00Z',
  distinct_end_time: '2025-01-01T00:00:00Z',
};
const byCertname = { summarize_by: 'certname' };
const value = (
  name: string,
  grow: Grow,
  path = 'nodes',
  rest: Readonly<Record<string, string>> = {},
): ParameterShape => ({
  path,
  rest,
  name,
  grow,
});

export const parameterShapes: Readonly<Record<string, ParameterShape>> = {
  'a limit of n digits': value('limit', (n) => '9'.repeat(n)),
  'a limit of n zeros': value('limit', (n) => `${'0'.repeat(n)}1`),
  'an offset of n digits': value('offset', (n) => '1'.repeat(n)),
  'an offset of n letters': value('offset', (n) => 'o'.repeat(n)),
  'order_by of n terms': value('order_by', (n) => `[${times(n, '{"field":"certname"}', ',')}]`),
  'order_by of n distinct fields': value('order_by', (n) => `[${times(n, (i) => `{"field":"f${i}"}`, ',')}]`),
  'order_by n deep': value('order_by', (n) => '['.repeat(n) + ']'.repeat(n)),
  'order_by of n keys': value('order_by', (n) => `[{${times(n, (i) => `"k${i}":1`, ',')}}]`),
  'order_by with a field of n characters': value('order_by', (n) => `[{"field":"${'f'.repeat(n)}"}]`),
  'order_by of n dotted steps': value('order_by', (n) => `[{"field":"facts${'.a'.repeat(n)}"}]`, 'inventory'),
  'order_by of n open brackets': value('order_by', (n) => '[{"field":'.repeat(n)),
  'counts_filter n deep': value(
    'counts_filter',
    (n) => `${'["not",'.repeat(n)}[">","failures",0]${']'.repeat(n)}`,
    'event-counts',
    byCertname,
  ),
  'counts_filter of n conditions': value(
    'counts_filter',
    (n) => `["and",${times(n, '[">","failures",0]', ',')}]`,
    'event-counts',
    byCertname,
  ),
  'counts_filter with n digits': value(
    'counts_filter',
    (n) => `[">","failures",${'9'.repeat(n)}]`,
    'event-counts',
    byCertname,
  ),
  'summarize_by of n names': value('summarize_by', (n) => times(n, 'certname', ','), 'aggregate-event-counts'),
  'summarize_by of n commas': value('summarize_by', (n) => ','.repeat(n), 'aggregate-event-counts'),
  'summarize_by of n characters': value('summarize_by', (n) => 's'.repeat(n), 'event-counts'),
  'count_by of n characters': value('count_by', (n) => 'c'.repeat(n), 'event-counts', byCertname),
  'a timeout of n digits': value('timeout', (n) => '9'.repeat(n)),
  'a timeout of n zeros': value('timeout', (n) => '0'.repeat(n)),
  'an origin of n characters': value('origin', (n) => 'o'.repeat(n)),
  'explain of n characters': value('explain', (n) => 'e'.repeat(n)),
  'include_total of n characters': value('include_total', (n) => 't'.repeat(n)),
  'a start time of n digits': value('distinct_start_time', (n) => `${'2'.repeat(n)}-01-01T00:00:00Z`, 'events', window),
  'an end time of n fraction digits': value(
    'distinct_end_time',
    (n) => `2024-01-01T00:00:00.${'1'.repeat(n)}Z`,
    'events',
    window,
  ),
  'a start time of n blanks': value('distinct_start_time', (n) => ' '.repeat(n), 'events', window),
  'as_of of n positions': value('as_of', (n) => `${times(n, '1', ',')}@2024-01-01T00:00:00Z`),
  'as_of of n commas': value('as_of', (n) => `${','.repeat(n)}@`),
  'as_of of n digits': value('as_of', (n) => '1'.repeat(n)),
  'as_of of n blanks': value('as_of', (n) => `now${' '.repeat(n)}-${' '.repeat(n)}2h${' '.repeat(n)}ago`),
  'n unknown parameters': { path: 'nodes', grow: (n) => times(n, (i) => `p${i}=1`, '&') },
  'a parameter n times': { path: 'nodes', grow: (n) => times(n, 'limit=1', '&') },
  'a name of n characters': { path: 'nodes', grow: (n) => `${'p'.repeat(n)}=1` },
  'n ampersands': { path: 'nodes', grow: (n) => '&'.repeat(n) },
  'n percent signs': { path: 'nodes', grow: (n) => `query=${'%'.repeat(n)}` },
};

/** Values of X-Nodeledger-Wait-For. */
export const waitForShapes: Readonly<Record<string, Grow>> = {
  'n positions': (n) => times(n, '0-1', ','),
  'n commas': (n) => ','.repeat(n),
  'n digits': (n) => `0-${'1'.repeat(n)}`,
  'n blanks': (n) => `${' '.repeat(n)}0-1${' '.repeat(n)}`,
  'n letters': (n) => 'w'.repeat(n),
};
