import 'reflect-metadata';
import { validateSync } from 'class-validator';
import { Fault } from '#fault';
import { defaultLimits, type LimitName } from '#limits';
import { hidePassword } from './hide-password';
import { isLoopback } from './is-loopback';
import { kafkaProblems } from './kafka-rules';
import { ownVersion } from './own-version';
import { queryProblems } from './query-rules';
import type { SettingEntry } from './setting-entry';
import { settingTable } from './setting-table';
import { Settings } from './settings';
import { fileKey, fromEnvironment, fromFile, fromFlags, type Given } from './sources';
import { tlsProblems } from './tls-rules';

/** What dialect puppetdb reports where nothing is set: a version that clients of that name know. */
const compatibleVersion = '8.4.1';

export interface SettingOrigin {
  readonly entry: SettingEntry;
  /** As written, or the default; passwords replaced. */
  readonly shown: string;
  /** `default`, `environment`, `--port` or the file's name. */
  readonly from: string;
}

interface ReadSettings {
  readonly settings: Readonly<Settings>;
  /** One for each setting, in the table's order. */
  readonly origins: readonly SettingOrigin[];
}

/** A value as it may be shown. */
function shown({ secret }: SettingEntry, text: string): string {
  if (secret === 'whole') return '***';
  return secret === 'url' ? hidePassword(text) : text;
}

const wrong = (entry: SettingEntry, given: Given): string =>
  `${entry.key}=${shown(entry, given.text)} (${given.from}): expected ${entry.expects}`;

/**
 * The settings of this process. Flags win over the environment, the environment over the file, the file over defaults.
 * Faults: `config.refused` with every wrong setting named, its value and what would be right; `config.file`.
 */
export function readSettings(
  flags: readonly string[] = process.argv.slice(2),
  environment: NodeJS.ProcessEnv = process.env,
): ReadSettings {
  const { given: ofFlags, file } = fromFlags(flags);
  const ofEnvironment = fromEnvironment(environment);
  const ofFile = fromFile(file ?? (environment[fileKey] || undefined));
  const given = new Map([...ofFile, ...ofEnvironment, ...ofFlags]);

  const settings = new Settings();
  const limits: Record<LimitName, number> = { ...defaultLimits };
  settings.limits = limits;
  const origins: SettingOrigin[] = [];
  const problems: string[] = [];
  for (const entry of settingTable) {
    let value = given.get(entry.key);
    if (value === undefined) {
      const fallback =
        entry.name === 'reportedVersion' && settings.dialect === 'puppetdb'
          ? compatibleVersion
          : entry.name === 'reportedVersion'
            ? ownVersion()
            : entry.fallback;
      if (fallback === undefined) {
        origins.push({ entry, shown: '(not set)', from: 'default' });
        continue;
      }
      value = { text: fallback, from: 'default' };
    }
    const read = entry.read(value.text.trim());
    if (read === undefined) problems.push(wrong(entry, value));
    else Object.assign(entry.name in limits ? limits : settings, { [entry.name]: read });
    origins.push({ entry, shown: shown(entry, value.text), from: value.from });
  }
  for (const error of validateSync(settings, { forbidUnknownValues: true })) {
    const entry = settingTable.find(({ name }) => name === error.property);
    const value = entry === undefined ? undefined : given.get(entry.key);
    // A setting that could not be read at all is named already.
    if (entry !== undefined && value !== undefined && error.value !== undefined) problems.push(wrong(entry, value));
  }
  const isGiven = (key: string): boolean => given.has(key);
  problems.push(...kafkaProblems(settings, isGiven), ...tlsProblems(settings, isGiven), ...queryProblems(settings));
  if (problems.length > 0) {
    throw new Fault('malformed', 'config.refused', problems.join('\n'), { details: problems });
  }
  if (settings.cleartext && !isLoopback(settings.host) && !settings.allowInsecure) {
    throw new Fault(
      'forbidden',
      'config.cleartext',
      `NODELEDGER_HOST=${settings.host}: this would serve facts and catalogs, with the secrets in them, in clear text to ` +
        'the network. Use 127.0.0.1 behind a proxy that ends TLS, or set NODELEDGER_ALLOW_INSECURE=true if the ' +
        'network itself is trusted',
    );
  }
  return { settings, origins };
}
