import { readLetter, readLettersRequest, requireSomeFilter, type LettersRequest } from './read-letters-request';

const read = (query: string): LettersRequest => readLettersRequest(`/x?${query}`, ['limit', 'offset', 'wait', 'all']);

test('without parameters everything is meant, a hundred at once', () => {
  expect(readLettersRequest('/x', [])).toEqual({ filter: {}, limit: 100, offset: 0, waitMs: 30_000, all: false });
});

test.each([
  ['command=replace_facts', { command: 'replace facts' }],
  ['command=store%20report&certname=web1_a', { command: 'store report', certname: 'web1_a' }],
  ['since=2026-01-31', { since: '2026-01-31T00:00:00.000Z' }],
  ['since=2026-01-31T12:30', { since: '2026-01-31T12:30:00.000Z' }],
  ['since=2026-01-31T12:30:01.5Z', { since: '2026-01-31T12:30:01.500Z' }],
  ['since=2026-01-31T12:30:00%2B02:00', { since: '2026-01-31T10:30:00.000Z' }],
])('%s filters', (query, filter) => {
  expect(read(query).filter).toEqual(filter);
});

test('paging and waiting are whole numbers within bounds', () => {
  expect(read('limit=1000&offset=7&wait=0&all=true')).toEqual({
    filter: {},
    limit: 1000,
    offset: 7,
    waitMs: 0,
    all: true,
  });
});

test.each([
  ['limit=0', 'limit must be a whole number from 1 to 1000'],
  ['limit=1001', 'limit must be'],
  ['limit=1e2', 'limit must be'],
  ['offset=-1', 'offset must be'],
  ['wait=601', 'wait must be'],
  ['all=yes', "'true'"],
  ['since=yesterday', 'ISO 8601'],
  ['since=2026-02-31T99:00Z', 'ISO 8601'],
  ['certname=', 'empty'],
  ['certname=a%00', 'U+0000'],
  ['certname=a&certname=b', 'once'],
  ['node=a', '"node"'],
])('refuses %s', (query, reason) => {
  expect(() => read(query)).toThrow(reason);
  expect(() => read(query)).toThrow(expect.objectContaining({ kind: 'malformed' }) as Error);
});

test('a parameter of another request is refused', () => {
  expect(() => readLettersRequest('/x?limit=5', ['all'])).toThrow('only command, certname, since, all');
});

test('all letters are touched only where the request says so', () => {
  expect(() => requireSomeFilter(read(''))).toThrow('all=true');
  expect(requireSomeFilter(read('all=true'))).toEqual({});
  expect(requireSomeFilter(read('certname=a'))).toEqual({ certname: 'a' });
});

test('names are partition and offset', () => {
  expect(readLetter('3-17')).toEqual({ partition: 3, offset: 17 });
  for (const name of ['3', '03-17', '3-17x', '-1-2', 'a-b', '9999999999-1']) {
    expect(() => readLetter(name)).toThrow(expect.objectContaining({ kind: 'missing' }) as Error);
  }
});
