import type { FastifyRequest } from '#http';
import { matchOf, queryRouteName } from './query-route';

const request = (url: string, route = '/pdb/query/v4/*'): FastifyRequest =>
  ({ url, routeOptions: { url: route } }) as unknown as FastifyRequest;

test.each([
  ['/pdb/query/v4', '/pdb/query/v4'],
  ['/pdb/query/v4?query=x', '/pdb/query/v4'],
  ['/pdb/query/v4/nodes?query=x', '/pdb/query/v4/nodes'],
  ['/pdb/query/v4/nodes/secret%2Fname/facts', '/pdb/query/v4/nodes/{certname}/facts'],
  ['/pdb/query/v4/facts/secret/secret', '/pdb/query/v4/facts/{name}/{value}'],
  ['/pdb/query/v4/', 'other'],
  ['/pdb/query/v4/secret', 'other'],
])('%s is called %s', (url, name) => {
  expect(queryRouteName(request(url))).toBe(name);
});

test('a request outside the query root has no name', () => {
  expect(queryRouteName(request('/pdb/query/v4/nodes', '/metrics'))).toBeUndefined();
  expect(queryRouteName({ url: '/x', routeOptions: {} } as unknown as FastifyRequest)).toBeUndefined();
});

test('a route is looked up once for each request', () => {
  const one = request('/pdb/query/v4/nodes/a');
  const match = matchOf(one);
  expect(match?.variables).toEqual({ certname: 'a' });
  Object.assign(one, { url: '/pdb/query/v4/facts' });
  expect(matchOf(one)).toBe(match);
  const none = request('/pdb/query/v4/none');
  expect(matchOf(none)).toBeUndefined();
  Object.assign(none, { url: '/pdb/query/v4/facts' });
  expect(matchOf(none)).toBeUndefined();
});
