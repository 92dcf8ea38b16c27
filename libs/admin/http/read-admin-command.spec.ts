import { cleanNothing } from '../../../test/support/clean-nothing';
import { Clean, cleanEverything, type CleanRequest } from '../clean/clean';
import { DeleteNode } from '../delete-node/delete-node';
import { readAdminCommand } from './read-admin-command';

const read = (body: unknown): Clean | DeleteNode =>
  readAdminCommand(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
const clean = (payload: unknown): unknown => ({ command: 'clean', version: 1, payload });

it.each<[unknown, CleanRequest]>([
  [[], cleanEverything],
  [null, cleanEverything],
  [['expire_nodes'], { ...cleanNothing, expireNodes: true }],
  [
    ['purge_reports', 'expire_nodes', 'expire_nodes'],
    { ...cleanNothing, expireNodes: true, purgeReports: true, purgeEvents: true },
  ],
  [['purge_resource_events'], { ...cleanNothing, purgeEvents: true }],
  [['purge_nodes'], { ...cleanNothing, purgeNodes: {} }],
  [[['purge_nodes', { batch_limit: 50 }]], { ...cleanNothing, purgeNodes: { limit: 50 } }],
  [[['purge_nodes', { batch_limit: 0 }], 'purge_nodes'], { ...cleanNothing, purgeNodes: { limit: 0 } }],
  [[['purge_nodes', { batch_limit: -7 }]], { ...cleanNothing, purgeNodes: { limit: 0 } }],
  [['gc_catalogs', 'gc_fact_paths'], { ...cleanNothing, collectResources: true, collectPaths: true }],
  [['gc_packages'], { ...cleanNothing, collectPackages: true }],
  [['other'], { ...cleanNothing, collectOther: true }],
])('clean %j', (payload, request) => {
  expect(read(clean(payload))).toEqual(new Clean(request, 'exact'));
});

it('delete names a node', () => {
  expect(read({ command: 'delete', version: 1, payload: { certname: 'web1 ü' } })).toEqual(new DeleteNode('web1 ü'));
});

it.each([
  ['not json', 'it is not JSON'],
  ['', 'it is not JSON'],
  [[], 'JSON map'],
  [{}, "'clean' or 'delete'"],
  [{ command: 'tidy', version: 1, payload: [] }, "'clean' or 'delete'"],
  [{ command: 'clean', version: 2, payload: [] }, 'version'],
  [{ command: 'clean', version: '1', payload: [] }, 'version'],
  [{ command: 'clean', version: 1 }, 'payload must be an array'],
  [{ command: 'clean', version: 1, payload: [], more: 1 }, '"more"'],
  [clean({}), 'payload must be an array'],
  [clean(['polish']), '"polish"'],
  [clean([null]), 'no operation null'],
  [clean([['expire_nodes', { batch_limit: 1 }]]), 'only purge_nodes'],
  [clean([['purge_nodes']]), 'only purge_nodes'],
  [clean([['purge_nodes', {}]]), 'batch_limit'],
  [clean([['purge_nodes', { batch_limit: 1.5 }]]), 'batch_limit'],
  [clean([['purge_nodes', { batch_limit: '10' }]]), 'batch_limit'],
  [clean([['purge_nodes', { batch_limit: 1, more: 1 }]]), 'batch_limit'],
  [clean(['purge_nodes', { batch_limit: 1 }]), 'no operation'],
  [{ command: 'delete', version: 1, payload: [] }, 'certname'],
  [{ command: 'delete', version: 1, payload: { certname: 7 } }, 'certname'],
  [{ command: 'delete', version: 1, payload: { certname: 'a', more: 1 } }, 'certname'],
  [{ command: 'delete', version: 1, payload: { certname: 'a\0' } }, 'U+0000'],
  ['{"command":"delete","version":1,"payload":{"certname":"\\ud800"}}', 'surrogate'],
])('refuses %j and says why', (body, reason) => {
  const expected: unknown = expect.objectContaining({
    kind: 'malformed',
    code: 'admin.invalid',
    message: expect.stringMatching(/^Invalid command "/),
  });
  expect(() => read(body)).toThrow(expected as Error);
  expect(() => read(body)).toThrow(reason);
});

it('refuses a body that is not UTF-8', () => {
  expect(() => readAdminCommand(Buffer.from('{"command":"clean\xe9"}', 'latin1'))).toThrow(/: it is not UTF-8$/);
});

it('shows only the beginning of a long body', () => {
  expect(() => read('x'.repeat(5_000))).toThrow(/^Invalid command "x{200}… \(5000 characters\)": /);
});
