import { Access } from './access';
import { Allowlist } from './allowlist';
import { CertificateRoles } from './certificate-roles';
import { type Grants, joinGrants } from './grants';
import { roles } from './role';

const file = CertificateRoles.parse(
  "certificates: [{name: puppet, roles: [submit, query]}, {name: 'web*', roles: [submit-own, query]}]",
  'roles.yaml',
);
const list = Allowlist.parse('# the server\n\n puppet \r\nboard');

describe.each<[what: string, grants: Grants, expected: Readonly<Record<string, readonly string[]>>]>([
  [
    'neither a file of roles nor an allowlist',
    joinGrants(undefined, undefined),
    { puppet: ['submit-own'], web1: ['submit-own'] },
  ],
  ['an allowlist', joinGrants(undefined, list), { puppet: roles, board: roles, web1: [], PUPPET: [] }],
  ['an empty allowlist', joinGrants(undefined, Allowlist.parse('')), { puppet: [] }],
  [
    'a file of roles',
    joinGrants(file, undefined),
    { puppet: ['submit', 'query'], web1: ['submit-own', 'query'], board: [] },
  ],
  ['both', joinGrants(file, list), { puppet: ['submit', 'query'], web1: [], board: [], other: [] }],
])('with %s', (_what, grants, expected) => {
  test.each(Object.entries(expected))('%s has the roles %j', (certname, held) => {
    expect([...grants.rolesOf(certname)]).toEqual(held);
  });
});

test('a certificate without a role is refused, in the words of PuppetDB only if an allowlist refuses it', async () => {
  const code = (grants: Grants): Promise<unknown> =>
    new Access(() => grants).admit('query', { certname: 'web1' }).catch((error: unknown) => error);
  expect(await code(joinGrants(undefined, list))).toMatchObject({ code: 'http.not-listed' });
  expect(await code(joinGrants(undefined, undefined))).toMatchObject({ code: 'access.role' });
});

test('without a file of roles and an allowlist, a certificate may submit documents of its own name only', async () => {
  const access = new Access(() => joinGrants(undefined, undefined));
  expect(await access.admit('submit', { certname: 'web1' })).toEqual({ certname: 'web1', onlyCertname: 'web1' });
  for (const role of ['query', 'metrics', 'admin'] as const) {
    await expect(access.admit(role, { certname: 'web1' })).rejects.toMatchObject({ code: 'access.role' });
  }
});

test('without tokens, a token is ignored', async () => {
  const access = new Access(() => joinGrants(undefined, list));
  expect(await access.admit('query', { certname: 'puppet', secret: 'x' })).toEqual({ certname: 'puppet' });
  await expect(access.admit('query', { secret: 'x' })).rejects.toMatchObject({ code: 'access.credential' });
});
