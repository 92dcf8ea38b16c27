import { Access, CertificateRoles, KnownTokens, TokenTable } from '#access';
import { FileContent, type Settings } from '#config';
import { Database } from '#database';
import type { FileWatch } from './file-watch';
import type { Outages } from './outages';
import type { Undo } from './undo';

const lookTimeoutMs = 10_000;

interface AccessOptions {
  readonly connectionString: string;
  readonly files: FileWatch;
  readonly outages: Pick<Outages, 'report'>;
  readonly onFailure: (error: unknown) => void;
  readonly undo: Undo;
}

/** Undefined if NODELEDGER_AUTHORIZATION is not set. Changes of its file are used without a restart. Fault: `config.file`. */
export async function openAccess(
  { authorization: path }: Readonly<Settings>,
  { connectionString, files, outages, onFailure, undo }: AccessOptions,
): Promise<Access | undefined> {
  if (path === undefined) return undefined;
  const certificates = await FileContent.open(
    { what: 'the file of NODELEDGER_AUTHORIZATION', path, code: 'config.file' },
    (text) => CertificateRoles.parse(text, path),
  );
  files.add({
    what: 'the roles file',
    paths: [path],
    alert: 'authorization.file',
    reload: () => certificates.reload(),
  });
  // A connection of its own, so that requests are let in while queries and commands use all others.
  const db = new Database({
    connectionString,
    max: 1,
    applicationName: 'nodeledger access',
    statementTimeoutMs: lookTimeoutMs,
    connectTimeoutMs: lookTimeoutMs,
  });
  undo.add('the connection that reads tokens', () => db.close());
  const tokens = new KnownTokens({
    table: new TokenTable(db),
    onFailure: (error) => {
      if (outages.report(error) === undefined) onFailure(error);
    },
  });
  undo.add('the tokens', () => tokens.close());
  await tokens.open();
  return new Access(() => certificates.current, tokens);
}
