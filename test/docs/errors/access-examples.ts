import { Access, CertificateRoles, Gate, SessionTable, TokenCache, TokenTable } from '#access';
import { Database } from '#database';
import { requireOwnDocument } from '../../../libs/commands/http/own-documents';
import { openHttp } from '#http';
import { type Example, refusal } from './example';
import { answered, checked, socketTo, sendBytes } from './http-client';
import { type LittleService, ProbeModule } from './little-service';

/** Causes every fault of roles and tokens. */
export async function accessExamples({ bench }: LittleService): Promise<Example[]> {
  const table = new TokenTable(bench.db);
  const down = new Database({ connectionString: 'postgres://nobody@127.0.0.1:1/none', max: 1 });
  const tokens = new TokenCache({
    table,
    onFailure: (error) => {
      throw error;
    },
  });
  const noRoles = CertificateRoles.parse('certificates: []', 'roles.yaml');
  const access = new Access(() => noRoles, tokens, new SessionTable(bench.db, tokens));
  const gate = new Gate({ access });
  const server = await openHttp(ProbeModule, {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 1_000,
    authorize: (request) => gate.check(request),
    graceMs: 100,
  });
  const url = server.urls[0] ?? '';
  try {
    const secret = await table.create({ name: 'dashboard', roles: ['query'], expires: undefined });
    return [
      await answered('access.credential', url, '/probe/broken', { given: 'GET /pdb/query/v4/nodes' }),
      await answered('access.token', url, '/probe/broken', {
        headers: { Authorization: 'Bearer nlt_wrong' },
        given: 'GET /pdb/query/v4/nodes with Authorization: Bearer nlt_wrong',
      }),
      await answered('access.role', url, '/probe/broken', {
        headers: { Authorization: `Bearer ${secret}` },
        given: 'DELETE /nodeledger/v1/dead-letters/3-17 with a token that has the role query',
      }),
      await answered('access.session', url, '/probe/broken', {
        headers: { Cookie: `nodeledger_session=nls_${'x'.repeat(43)}` },
        given: 'GET /nodeledger/v1/me with the cookie of a session that has ended',
      }),
      await answered('access.session-header', url, '/probe/body', {
        method: 'POST',
        headers: { Cookie: `nodeledger_session=${await access.signIn(secret)}` },
        given: 'POST /pdb/admin/v1/cmd with the cookie of a session, without X-Nodeledger-Console',
      }),
      await refusal('access.no-sessions', 'POST /nodeledger/v1/session without NODELEDGER_AUTHORIZATION', () =>
        new Access(() => noRoles).signIn(secret),
      ),
      await refusal('access.unchecked', 'GET /pdb/query/v4/nodes with a new token, while PostgreSQL is down', () =>
        new TokenCache({ table: new TokenTable(down), onFailure: () => undefined }).find(secret),
      ),
      await answered('http.other-site', url, '/probe/body', {
        method: 'POST',
        headers: { Origin: 'https://www.example.org' },
        given: 'POST /pdb/cmd/v1 with Origin: https://www.example.org',
      }),
      checked(
        'http.other-host',
        'GET /pdb/query/v4/nodes by a browser, with Host: www.example.org',
        await sendBytes(
          await socketTo(url),
          'GET /probe/body HTTP/1.1\r\nHost: www.example.org\r\nAccept-Language: en\r\nConnection: close\r\n\r\n',
        ),
      ),
      await refusal('access.other-node', 'replace facts for web2, with the certificate of web1', () =>
        requireOwnDocument({ onlyCertname: 'web1' }, { command: 'replace facts', certname: 'web2' }),
      ),
      await refusal('token.name', "nodeledger token create '' --role query", () =>
        table.create({ name: '', roles: ['query'], expires: undefined }),
      ),
      await refusal('token.exists', 'nodeledger token create dashboard --role query', () =>
        table.create({ name: 'dashboard', roles: ['query'], expires: undefined }),
      ),
      await refusal('token.missing', 'nodeledger token revoke dashbord', () =>
        table.revoke('dashbord', { remove: false }),
      ),
    ];
  } finally {
    await server.close();
    await tokens.close();
    await down.close();
  }
}
