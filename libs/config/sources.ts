import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Fault, isMap, nearest } from '#fault';
import { unreadableReason } from './read-named-file';
import { laterKeys, settingTable } from './setting-table';

export interface Given {
  readonly text: string;
  /** `environment`, a flag such as `--port`, or the name of the settings file. */
  readonly from: string;
}
type GivenValues = Map<string, Given>;

/** Variable with the path of the settings file. The variable is not a setting. */
export const fileKey = 'NODELEDGER_CONFIG';
/** Variable with the bearer token that the command line sends. The variable is not a setting of the service. */
export const tokenKey = 'NODELEDGER_TOKEN';
const defaultFile = 'nodeledger.yaml';

const knownKeys = settingTable.map((entry) => entry.key);

function refuse(key: string, value: string, from: string, why: string, hint?: string): Fault {
  return new Fault(
    'malformed',
    'config.refused',
    `${key}=${value} (${from}): ${why}`,
    hint === undefined ? {} : { hint },
  );
}

function refuseUnknown(key: string, value: string, from: string, known: readonly string[]): Fault {
  // Compares the names without their prefixes. Otherwise any two names with the same prefix would seem similar.
  const bare = (name: string): string => name.replace(/^(NODELEDGER_|--)/, '');
  const likeIt = nearest(bare(key), known.map(bare));
  const near = known.find((name) => likeIt !== undefined && bare(name) === likeIt);
  return refuse(key, value, from, `there is no such setting${near === undefined ? '' : `. Did you mean ${near}?`}`);
}

/**
 * Converts a name such as `port`, `node-ttl`, `node_ttl`, `NODELEDGER_NODE_TTL` or `database_url` to the key of a
 * setting, even if no such setting exists.
 */
function keyOf(name: string): string {
  const key = name.replaceAll('-', '_').toUpperCase();
  if (key.startsWith('NODELEDGER_') || key in laterKeys || knownKeys.includes(key)) return key;
  return `NODELEDGER_${key}`;
}
export const flagOf = (key: string): string =>
  `--${key
    .replace(/^NODELEDGER_/, '')
    .toLowerCase()
    .replaceAll('_', '-')}`;

/**
 * Reads the settings in the environment. Throws `config.refused` if a variable that begins with `NODELEDGER_` is
 * unknown.
 */
export function fromEnvironment(environment: NodeJS.ProcessEnv): GivenValues {
  const given: GivenValues = new Map();
  for (const [key, text] of Object.entries(environment)) {
    if (text === undefined || text === '' || key === fileKey || key === tokenKey) continue;
    const from = 'environment';
    if (key in laterKeys) throw refuse(key, text, from, laterKeys[key] ?? '');
    if (knownKeys.includes(key)) given.set(key, { text, from });
    else if (key.startsWith('NODELEDGER_')) throw refuseUnknown(key, text, from, knownKeys);
  }
  return given;
}

/**
 * Reads the settings in the flags. A flag without a value, such as `--allow-insecure`, is true. Throws `config.refused`
 * if a flag is unknown or malformed.
 */
export function fromFlags(flags: readonly string[]): { given: GivenValues; file?: string } {
  const given: GivenValues = new Map();
  let file: string | undefined;
  for (let i = 0; i < flags.length; i++) {
    const written = flags[i] ?? '';
    const [, name, inline] = /^--([a-zA-Z][\w-]*)(?:=([\s\S]*))?$/.exec(written) ?? [];
    if (name === undefined) {
      throw new Fault('malformed', 'config.refused', `${written}: flags are written --name value, such as --port 9090`);
    }
    const next = flags[i + 1];
    const follows = inline === undefined && next !== undefined && !/^--[a-zA-Z]/.test(next);
    if (follows) i++;
    const text = inline ?? (follows ? (next ?? '') : 'true');
    if (name === 'config') {
      file = text;
      continue;
    }
    const key = keyOf(name);
    const from = 'flag';
    if (key in laterKeys) throw refuse(`--${name}`, text, from, laterKeys[key] ?? '');
    if (!knownKeys.includes(key)) throw refuseUnknown(`--${name}`, text, from, [...knownKeys.map(flagOf), '--config']);
    given.set(key, { text, from: `--${name}` });
  }
  return file === undefined ? { given } : { given, file };
}

/**
 * Returns the reason why the settings file cannot be parsed. Settings are never indented, but YAML's error for an
 * indented line usually names another line. So an indented line is reported first.
 */
function readingProblem(text: string, error: Error): string {
  const indented = text.split('\n').findIndex((line) => /^[ \t]+[^ \t#\r]/.test(line));
  if (indented < 0) return unreadableReason(error);
  return `line ${indented + 1} is indented. Begin each setting at the start of a line, such as "port: 9090"`;
}

/**
 * Reads the settings file. If `file` is undefined, reads nodeledger.yaml in the working directory, or no file if it
 * does not exist. Throws `config.refused` if a setting is unknown or malformed, and `config.file` if the file cannot be
 * read.
 */
export function fromFile(file: string | undefined): GivenValues {
  const given: GivenValues = new Map();
  const path = file ?? defaultFile;
  if (file === undefined && !existsSync(path)) return given;
  let text = '';
  let content: unknown;
  try {
    text = readFileSync(path, 'utf8');
    content = parse(text, { schema: 'failsafe' }) ?? {};
  } catch (cause) {
    throw new Fault('malformed', 'config.file', `settings file ${path}: ${readingProblem(text, cause as Error)}`, {
      cause,
    });
  }
  if (!isMap(content)) {
    throw new Fault('malformed', 'config.file', `settings file ${path}: expected a map such as "port: 9090"`);
  }
  for (const [name, value] of Object.entries(content)) {
    if (typeof value !== 'string') {
      throw refuse(name, JSON.stringify(value), path, 'expected one plain value, not a list or a map');
    }
    const key = keyOf(name);
    if (key in laterKeys) throw refuse(name, value, path, laterKeys[key] ?? '');
    if (!knownKeys.includes(key)) {
      throw refuseUnknown(
        name,
        value,
        path,
        knownKeys.map((known) => known.replace(/^NODELEDGER_/, '').toLowerCase()),
      );
    }
    if (given.has(key)) throw refuse(name, value, path, `${key} is set twice, by this name and by another one`);
    if (value !== '') given.set(key, { text: value, from: path });
  }
  return given;
}
