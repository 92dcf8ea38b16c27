import { Access, CertificateRoles, KnownTokens, TokenTable } from '#access';
import type { Settings } from '#config';
import { Database } from '#database';
import type { Outages } from './outages';
import type { Undo } from './undo';

const lookTimeoutMs = 10_000;

export interface AccessOptions {
  readonly connectionString: string;
  readonly outages: Pick<Outages, 'report'>;
  readonly onFailure: (error: unknown) => void;
  readonly undo: Undo;
}

/** Who may do what; undefined where NODELEDGER_AUTHORIZATION is not set. Fault: `config.file`. */
export async function openAccess(
  { authorization }: Readonly<Settings>,
  { connectionString, outages, onFailure, undo }: AccessOptions,
): Promise<Access | undefined> {
  if (authorization === undefined) return undefined;
  const certificates = CertificateRoles.read(authorization);
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
  return new Access(certificates, tokens);
}
