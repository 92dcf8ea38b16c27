import {
  Access,
  Allowlist,
  CertificateRoles,
  type Grants,
  joinGrants,
  SessionTable,
  TokenCache,
  TokenTable,
} from '#access';
import { FileContent, type Settings } from '#config';
import { Database } from '#database';
import type { FileMonitor } from './file-monitor';
import type { Outages } from './outages';
import { ownPools } from './own-pools';
import type { Undo } from './undo';

const lookTimeoutMs = 10_000;

interface AccessOptions {
  readonly connectionString: string;
  readonly files: FileMonitor;
  readonly outages: Pick<Outages, 'report'>;
  readonly onFailure: (error: unknown) => void;
  readonly undo: Undo;
}

/** Later changes to the files apply without a restart. Throws `config.file` if a file cannot be used. */
export async function openAccess(
  { authorization, certificateAllowlist }: Readonly<Settings>,
  { connectionString, files, outages, onFailure, undo }: AccessOptions,
): Promise<Access> {
  const roles = await opened(authorization, 'the file of NODELEDGER_AUTHORIZATION', (text, path) =>
    CertificateRoles.parse(text, path),
  );
  const allowlist = await opened(certificateAllowlist, 'the certificate allowlist', (text) => Allowlist.parse(text));
  const paths = [authorization, certificateAllowlist].filter((path) => path !== undefined);
  if (paths.length > 0) {
    files.add({
      what: 'the roles file or the allowlist',
      paths,
      alert: 'authorization.file',
      reload: async () => {
        const areNew = await roles?.reload();
        return (await allowlist?.reload()) === true || areNew === true;
      },
    });
  }
  const grants = (): Grants => joinGrants(roles?.current, allowlist?.current);
  if (authorization === undefined) return new Access(grants);
  const db = new Database({
    connectionString,
    max: ownPools.access,
    applicationName: 'nodeledger access',
    statementTimeoutMs: lookTimeoutMs,
    connectTimeoutMs: lookTimeoutMs,
  });
  undo.add('the connection that reads tokens', () => db.close());
  const tokens = new TokenCache({
    table: new TokenTable(db),
    onFailure: (error) => {
      if (outages.report(error) === undefined) onFailure(error);
    },
  });
  undo.add('the tokens', () => tokens.close());
  await tokens.open();
  return new Access(grants, tokens, new SessionTable(db, tokens));
}

async function opened<T>(
  path: string | undefined,
  what: string,
  parse: (text: string, path: string) => T,
): Promise<FileContent<T> | undefined> {
  return path === undefined
    ? undefined
    : FileContent.open({ what, path, code: 'config.file' }, (text) => parse(text, path));
}
