import { Fault } from '#fault';
import { limitsWith, limitTable } from '#limits';
import { hidePassword } from './hide-password';
import { isLoopback } from './is-loopback';
import { kafkaProblems } from './kafka-rules';
import { ownVersion } from './own-version';
import { queryProblems } from './query-rules';
import { type NamedSetting, type Settings, settingTable } from './setting-table';
import { fileKey, fromEnvironment, fromFile, fromFlags, type Given } from './sources';
import { tlsProblems } from './tls-rules';

/** Version of PuppetDB that the service reports. Clients of PuppetDB accept it. */
const compatibleVersion = '8.4.1';

export interface SettingOrigin {
  readonly entry: NamedSetting;
  /** The value as the user wrote it, or the default. Contains `***` instead of passwords. */
  readonly shown: string;
  /** Source of the value: `default`, `environment`, a flag such as `--port`, or the name of the settings file. */
  readonly from: string;
}

/**
 * Where the settings of a process come from. Another process with the same flags and environment has the same settings.
 */
export interface SettingSource {
  readonly flags: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Returns an environment that gives another process the same settings without flags. Flags are not passed on, because a
 * verb can have a flag with the name of a setting, such as `snapshot --history`.
 */
export function environmentOf({ flags, environment }: SettingSource): NodeJS.ProcessEnv {
  const { given, file } = fromFlags(flags);
  const ofFlags = Object.fromEntries([...given].map(([key, { text }]) => [key, text]));
  return { ...environment, ...ofFlags, ...(file === undefined ? {} : { [fileKey]: file }) };
}

export interface ReadSettings {
  readonly settings: Readonly<Settings>;
  readonly origins: readonly SettingOrigin[];
  readonly source: SettingSource;
}

function shown({ secret }: NamedSetting, text: string): string {
  if (secret === 'whole') return '***';
  return secret === 'url' ? hidePassword(text) : text;
}

const wrong = (entry: NamedSetting, given: Given): string =>
  `${entry.key}=${shown(entry, given.text)} (${given.from}): expected ${entry.expects}`;

/**
 * Flags take precedence over the environment, the environment over the settings file, and the file over defaults.
 * Throws `config.refused` if settings are invalid, and names all of them. Throws `config.cleartext` if the settings
 * would serve unencrypted HTTP to the network. Throws `config.file` if the settings file cannot be read.
 */
export function readSettings(
  flags: readonly string[] = process.argv.slice(2),
  environment: NodeJS.ProcessEnv = process.env,
): ReadSettings {
  const { given: ofFlags, file } = fromFlags(flags);
  const ofEnvironment = fromEnvironment(environment);
  const ofFile = fromFile(file ?? (environment[fileKey] || undefined));
  const given = new Map([...ofFile, ...ofEnvironment, ...ofFlags]);

  const values: Record<string, unknown> = {};
  const origins: SettingOrigin[] = [];
  const problems: string[] = [];
  for (const entry of settingTable) {
    const value = given.get(entry.key) ?? defaultOf(entry, values);
    if (value === undefined) {
      origins.push({ entry, shown: '(not set)', from: 'default' });
      continue;
    }
    const read = entry.read(value.text.trim());
    if (read === undefined) problems.push(wrong(entry, value));
    else values[entry.name] = read;
    origins.push({ entry, shown: shown(entry, value.text), from: value.from });
  }
  const settings = settingsOf(values);
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
  return { settings, origins, source: { flags, environment } };
}

function defaultOf(
  { name, fallback }: NamedSetting,
  { dialect }: Readonly<Record<string, unknown>>,
): Given | undefined {
  const text = name === 'reportedVersion' ? (dialect === 'puppetdb' ? compatibleVersion : ownVersion()) : fallback;
  return text === undefined ? undefined : { text, from: 'default' };
}

function settingsOf(values: Readonly<Record<string, unknown>>): Settings {
  const isLimit = ([name]: readonly [string, unknown]): boolean => name in limitTable;
  const entries = Object.entries(values);
  const limits = limitsWith(Object.fromEntries(entries.filter(isLimit)));
  return { ...Object.fromEntries(entries.filter((entry) => !isLimit(entry))), limits } as Settings;
}
