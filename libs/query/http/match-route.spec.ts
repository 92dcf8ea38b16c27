import { matchRoute } from './match-route';
import { parents, routes } from './routes';

const found = (path: string): string | undefined => matchRoute(path)?.route.path;

test.each([
  ['', ''],
  ['nodes', 'nodes'],
  ['nodes/web01', 'nodes/:certname'],
  ['nodes/web01/facts/os/x', 'nodes/:certname/facts/:name/:value'],
  ['nodes/facts', 'nodes/:certname'],
  ['facts/kernel', 'facts/:name'],
  ['factsets/web01/facts', 'factsets/:certname/facts'],
  ['catalogs/web01/resources/File/x', 'catalogs/:certname/resources/:type/:title'],
  ['reports/abc/logs', 'reports/:report/logs'],
  ['environments/production/resources/Class', 'environments/:environment/resources/:type'],
  ['producers/pm1/factsets/web01', 'producers/:producer/factsets/:certname'],
])('%s is %s', (path, route) => expect(found(path)).toBe(route));

test.each([
  'nope',
  'FACTS',
  'fact_contents',
  'nodes/a/nope',
  'facts/a/b/c',
  'reports/abc',
  'edges/x',
  'nodes/a/resources/b/c/d',
])('%s is no route', (path) => expect(found(path)).toBeUndefined());

test('segments are decoded one by one: an encoded slash stays inside its segment', () => {
  expect(matchRoute('resources/File/%2Fetc%2Fa%20b')?.variables).toEqual({ type: 'File', title: '/etc/a b' });
  expect(matchRoute('nodes/gr%C3%BCn')?.variables).toEqual({ certname: 'grün' });
  expect(matchRoute('facts/100%')?.variables).toEqual({ name: '100%' });
});

test('a trailing slash is an empty name', () => {
  expect(matchRoute('nodes/')?.variables).toEqual({ certname: '' });
  expect(matchRoute('facts/kernel/')?.variables).toEqual({ name: 'kernel', value: '' });
  expect(matchRoute('nodes/web01/')).toBeUndefined();
});

test('each path exists once, and names the variables that it uses', () => {
  expect(new Set(routes.map(({ path }) => path)).size).toBe(routes.length);
  for (const { path, fields, parent } of routes) {
    const variables = path.match(/:\w+/g)?.map((name) => name.slice(1)) ?? [];
    expect(Object.keys(fields ?? {}).sort()).toEqual(variables.sort());
    if (parent !== undefined) expect(variables).toContain(parents[parent].variable);
  }
});
