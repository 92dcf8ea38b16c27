import { ServedPaths } from './served-paths';

const all = new ServedPaths(new Set(['write', 'project', 'read']));
const queryApi = new ServedPaths(new Set(['read']));

test('a process with all components serves all, and names no other', () => {
  expect(all.sentences()).toEqual([
    'This process accepts commands, builds the tables, answers queries. It serves /pdb/cmd, /pdb/admin, ' +
      '/nodeledger/v1/dead-letters, /nodeledger/v1/agent-reports, /pdb/query, /console, /status/v1, /pdb/meta/v1, ' +
      '/nodeledger/v1/live, /nodeledger/v1/ready, /metrics, /openapi.json, /docs/api.',
  ]);
});

test('a part says what it serves and where the rest is', () => {
  expect(queryApi.sentences()).toEqual([
    'This process answers queries. It serves /pdb/query, /console, /status/v1, /pdb/meta/v1, /nodeledger/v1/live, ' +
      '/nodeledger/v1/ready, /metrics, /openapi.json, /docs/api.',
    'A process with the component write (command-api) accepts commands, and serves /pdb/cmd, /pdb/admin, ' +
      '/nodeledger/v1/dead-letters, /nodeledger/v1/agent-reports.',
    'A process with the component project (projector) builds the tables.',
  ]);
});

test.each([
  ['/pdb/query/v4/no', undefined],
  ['/pdb/query', undefined],
  ['/pdb/queryx', expect.stringContaining('It serves /pdb/query,') as string],
  ['/pdb/queries', expect.stringContaining('It serves /pdb/query,') as string],
  ['/pdb/cmd/v1', expect.stringContaining('(command-api) accepts commands') as string],
])('of a query-api, the hint for %s is %s', (path, hint) => expect(queryApi.hintFor(path)).toEqual(hint));
