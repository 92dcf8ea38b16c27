import type { VersionTest } from '../ast/ast';
import { bind, type Fragment, join, sql } from './fragment';
import { orderingSql } from './ordering';

/**
 * Rules for comparing versions. The SQL function nodeledger.version_key (migrations/version-keys.ts) implements them.
 */
type VersionRule = 'deb' | 'rpm' | 'semver' | 'gem' | 'python' | 'general';

/** Maps a rule to the package providers that use it. All other providers use the rule `general`. */
export const providersOf: Readonly<Record<Exclude<VersionRule, 'general'>, readonly string[]>> = {
  deb: ['apt', 'aptitude', 'dpkg'],
  rpm: ['dnf', 'dnfmodule', 'rpm', 'tdnf', 'up2date', 'urpmi', 'yum', 'zypper'],
  semver: ['npm', 'yarn', 'cargo'],
  gem: ['gem', 'puppet_gem', 'puppetserver_gem'],
  python: ['pip', 'pip2', 'pip3', 'pipx'],
};

/**
 * The SQL is null if the text is not a version. If the version of the test has no epoch, the SQL ignores the epoch of
 * the text.
 */
export function versionSql(
  value: Fragment,
  { operator, version }: VersionTest,
  rule: VersionRule = 'general',
): Fragment {
  const hasEpoch = /^[0-9]+[:!]/.test(version);
  // The key of a parameter is a constant, so PostgreSQL computes it once.
  const key = (text: Fragment): Fragment =>
    sql`nodeledger.version_key(${text}, ${bind(rule, 'text')}, ${bind(hasEpoch, 'boolean')})`;
  return sql`${key(value)} ${orderingSql(operator)} ${key(bind(version, 'text'))}`;
}

/** The SQL is null if the JSON value is neither a string nor a number. `text` is the value without quotes. */
export const jsonVersionSql = (value: Fragment, text: Fragment, test: VersionTest): Fragment =>
  sql`CASE WHEN jsonb_typeof(${value}) IN ('string', 'number') THEN ${versionSql(text, test)} END`;

/** Sorts versions by the rule of the provider. The key is null if the text is not a version. */
export const packageVersionKey = (version: Fragment, provider: Fragment): Fragment =>
  sql`nodeledger.version_key(${version}, ${byProvider(provider, (rule) => bind(rule, 'text'))}, true)`;

export const packageVersionSql = (value: Fragment, provider: Fragment, test: VersionTest): Fragment =>
  byProvider(provider, (rule) => versionSql(value, test, rule));

function byProvider(provider: Fragment, of: (rule: VersionRule) => Fragment): Fragment {
  const cases = Object.entries(providersOf).map(
    ([rule, providers]) => sql`WHEN ${provider} = ANY (${bind(providers, 'text[]')}) THEN ${of(rule as VersionRule)}`,
  );
  return sql`CASE ${join(cases, sql` `)} ELSE ${of('general')} END`;
}
