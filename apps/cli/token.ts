import { Command, InvalidArgumentError } from 'commander';
import { AuditLog, type AuditedAction, isRole, type Role, roles, type Token, TokenTable, unknownRole } from '#access';
import { durationForm, readDuration, readSettings } from '#config';
import type { Database } from '#database';
import { byUser } from './by-user';
import { columns } from './columns';
import { withSettings } from './maintenance/run-maintenance';
import { openStore } from './open-store';
import { print } from './print';

interface CreateFlags {
  readonly role: readonly Role[];
  readonly expires?: number;
  readonly json?: true;
}

export function tokenCommand(): Command {
  return new Command('token').addCommand(createCommand()).addCommand(listCommand()).addCommand(revokeCommand());
}

function createCommand(): Command {
  return withSettings(new Command('create').argument('<name>', 'name of the token in the list and in the audit log'))
    .description('create a token and print it; it is not stored and cannot be shown again')
    .requiredOption(
      '--role <role>',
      `role of the token; repeat the flag for several roles: ${tokenRoles.join(', ')}`,
      addRole,
    )
    .option('--expires <duration>', 'how long the token is valid, such as 90d (default: forever)', readLifetime)
    .option('--json', 'print JSON, even on a terminal')
    .action(async (name: string, settings: string[], flags: CreateFlags) => {
      const expires = flags.expires === undefined ? undefined : new Date(Date.now() + flags.expires);
      const token = await withTokens(settings, byUser('create token', name), (table) =>
        table.create({ name, roles: flags.role, expires }),
      );
      print({ name, roles: flags.role, expires: expires?.toISOString() ?? null, token }, flags, () => `${token}\n`);
    });
}

function listCommand(): Command {
  return withSettings(new Command('list'))
    .description('list the tokens with their roles and the time of their last use')
    .option('--json', 'print JSON, even on a terminal')
    .action(async (settings: string[], flags: { readonly json?: true }) => {
      const tokens = await withTokens(settings, undefined, (table) => table.list());
      print({ tokens: tokens.map(tokenJson) }, flags, () => tokenTable(tokens));
    });
}

function revokeCommand(): Command {
  return withSettings(new Command('revoke').argument('<name>', 'name of the token in the list'))
    .description('revoke a token; running services refuse it within two seconds')
    .option('--delete', 'also remove the token from the list')
    .action(async (name: string, settings: string[], flags: { readonly delete?: true }) => {
      await withTokens(settings, byUser('revoke token', name), (table) =>
        table.revoke(name, { remove: flags.delete === true }),
      );
      process.stdout.write(`${name} is revoked\n`);
    });
}

async function withTokens<T>(
  flags: readonly string[],
  audited: AuditedAction | undefined,
  work: (table: TokenTable) => Promise<T>,
): Promise<T> {
  const { settings } = readSettings(flags);
  const store = await openStore(settings, (text) => process.stderr.write(`${text}\n`));
  const { db }: { readonly db: Database } = store;
  try {
    const table = new TokenTable(db);
    return await (audited === undefined ? work(table) : new AuditLog(db).record(audited, () => work(table)));
  } finally {
    await store.close();
  }
}

/**
 * A token cannot have the role `submit-own`, which allows only commands about the client's own certname, because a
 * token has no certname.
 */
const tokenRoles = roles.filter((role) => role !== 'submit-own');

function addRole(text: string, before: readonly Role[] = []): Role[] {
  if (!isRole(text)) throw new InvalidArgumentError(unknownRole(text));
  if (text === 'submit-own') throw new InvalidArgumentError('submit-own is a role of certificates only');
  return [...new Set([...before, text])];
}

function readLifetime(text: string): number {
  const ms = readDuration(text) ?? 0;
  if (ms <= 0) throw new InvalidArgumentError(`expected ${durationForm}`);
  return ms;
}

const isoTime = (time: Date | null): string | null => time?.toISOString() ?? null;

const tokenJson = ({ name, roles: held, created, expires, revoked, lastUsed }: Token): object => ({
  name,
  roles: held,
  created: isoTime(created),
  expires: isoTime(expires),
  revoked: isoTime(revoked),
  last_used: isoTime(lastUsed),
});

function stateOf({ revoked, expires }: Token): string {
  if (revoked !== null) return 'revoked';
  return expires !== null && expires.getTime() <= Date.now() ? 'expired' : 'valid';
}

export function tokenTable(tokens: readonly Token[]): string {
  if (tokens.length === 0) return 'no tokens\n';
  return columns([
    ['NAME', 'STATE', 'ROLES', 'CREATED', 'EXPIRES', 'LAST USED'],
    ...tokens.map((token) => [
      token.name,
      stateOf(token),
      token.roles.join(' '),
      isoTime(token.created) ?? '',
      isoTime(token.expires) ?? 'never',
      isoTime(token.lastUsed) ?? 'never',
    ]),
  ]);
}
