import { roleOf } from './route-roles';

test.each([
  ['/', 'open'],
  ['/pdb', 'open'],
  ['/pdb/meta/v1/version', 'open'],
  ['/pdb/query/v4/*', 'query'],
  ['/pdb/queryx', 'admin'],
  ['/pdb/cmd/v1', 'submit'],
  ['/nodeledger/v1/agent-reports', 'submit'],
  ['/pdb/admin/v1/cmd', 'admin'],
  ['/nodeledger/v1/dead-letters', 'admin'],
  ['/nodeledger/v1/dead-letters/:name/payload', 'admin'],
  ['/nodeledger/v1/live', 'open'],
  ['/metrics/v2/*', 'metrics'],
  ['/not/described', 'admin'],
  [undefined, 'any'],
])('%s needs the role %s', (route, role) => expect(roleOf(route)).toBe(role));
