/** If a setting has no counterpart, the settings file contains a comment with the reason instead. */
import { settingTable } from '#config';
import { type Converted, counterparts, withoutCounterpart } from './counterparts';
import { readIni, type IniValue } from './read-ini';

export interface ConfigFile {
  readonly name: string;
  readonly text: string;
}

export interface ConvertedConfig {
  readonly text: string;
  /** `leftOut` is the number of settings without a counterpart. */
  readonly converted: number;
  readonly leftOut: number;
  /** Messages about decisions that the user must make. */
  readonly notes: readonly string[];
}

interface Line {
  readonly key: string;
  readonly value: string;
  readonly from: string;
}

/** Matches settings that the service refuses if HTTPS is off. */
const ofHttps = /^(tls_|certificate_allowlist$)/;

const known = new Set(settingTable.map(({ key }) => key));
const settingKey = (key: string): string =>
  known.has(key.toUpperCase()) ? key.toUpperCase() : `NODELEDGER_${key.toUpperCase()}`;

/** `allowlist`, the path of a certificate allowlist, replaces the path in the files. */
export function convertConfig(files: readonly ConfigFile[], allowlist?: string): ConvertedConfig {
  const lines = new Map<string, Line>();
  const comments: string[] = [];
  const notes: string[] = [];
  const database = new Map<string, string>();
  let blocklistType: string | undefined;
  const put = (line: Line): void => {
    const earlier = lines.get(line.key);
    if (earlier !== undefined && earlier.value !== line.value) {
      notes.push(`${line.key} is set twice: ${earlier.from} and ${line.from}; the latter is taken`);
    }
    lines.set(line.key, line);
  };
  for (const { name: file, text } of files) {
    const { values, strange } = readIni(text);
    for (const line of strange) notes.push(`${file}, line ${line}: this is no setting`);
    for (const given of values) {
      const name = `${given.section}.${given.name}`.toLowerCase();
      const from = `${file}: ${given.section}/${given.name}`;
      if (/^database\.(subname|username|user|password|migrator-username|migrator-password)$/.test(name)) {
        database.set(name.slice('database.'.length), given.value);
        continue;
      }
      if (/^database\.facts-(block|black)list-type$/.test(name)) blocklistType = given.value.toLowerCase();
      const outcome = outcomeOf(name, given);
      if (typeof outcome === 'string') comments.push(`${from} = ${shown(name, given.value)}: ${outcome}`);
      else put({ ...outcome, from });
    }
  }
  if (allowlist !== undefined) put({ key: 'certificate_allowlist', value: allowlist, from: '--allowlist' });
  const blocked = lines.get('facts_blocklist');
  if (blocked !== undefined && blocklistType === 'regex') {
    const value = blocked.value
      .split(',')
      .map((pattern) => `/${pattern}/`)
      .join(',');
    lines.set('facts_blocklist', { ...blocked, value });
  }
  const lacking = ['tls_cert', 'tls_key', 'tls_ca'].filter((key) => !lines.has(key));
  const accepted = [...lines.values()].filter((line) => {
    if (lacking.length > 0 && ofHttps.test(line.key)) {
      comments.push(
        `${line.key}: ${line.value} (${line.from}): this is of HTTPS, which needs ${lacking.join(', ')}, too`,
      );
      return false;
    }
    const entry = settingTable.find(({ key }) => key === settingKey(line.key));
    if (entry?.read(line.value) !== undefined) return true;
    comments.push(`${line.from} = ${line.value}: ${line.key} cannot have this value, expected ${entry?.expects}`);
    return false;
  });
  if (accepted.some(({ key, value }) => key === 'host' && !/^(localhost|127\.|::1)/.test(value))) {
    notes.push(
      'host is not a loopback address: the service refuses to answer unencrypted HTTP there unless allow_insecure is true',
    );
  }
  if (accepted.some(({ key }) => key === 'tls_key')) {
    notes.push("the service's user has to be able to read the files of certificate and key (docs/tls.md)");
  }
  if (accepted.some(({ key }) => key === 'tls_key') && !lines.has('certificate_allowlist')) {
    notes.push(
      'PuppetDB accepts every certificate of the CA; this service accepts only documents of its own name from a certificate, until ' +
        'authorization or certificate_allowlist names those that may do more (docs/tls.md)',
    );
  }
  return {
    text: page(accepted, databaseLines(database), comments, notes),
    converted: accepted.length,
    leftOut: comments.length,
    notes,
  };
}

function outcomeOf(name: string, { value }: IniValue): { key: string; value: string } | string {
  const counterpart = Object.hasOwn(counterparts, name) ? counterparts[name] : undefined;
  if (counterpart === undefined) {
    const section = name.slice(0, name.indexOf('.'));
    return withoutCounterpart[name] ?? withoutCounterpart[`${section}.*`] ?? 'this setting is not known';
  }
  const converted: Converted | string = counterpart.convert?.(value) ?? { value };
  return typeof converted === 'string' ? converted : { key: counterpart.key, value: converted.value };
}

const isSecret = (name: string): boolean => /password|secret/.test(name);
const shown = (name: string, value: string): string => (isSecret(name) ? '***' : value);

/** This service needs its own database, because it cannot use PuppetDB's tables. */
function databaseLines(database: ReadonlyMap<string, string>): string[] {
  const subname = database.get('subname');
  if (subname === undefined) return [];
  const server = subname.replace(/^\/\//, '').replace(/\/.*$/s, '');
  return [
    `PuppetDB keeps its data in ${subname}. This service needs an empty database of its own. Without`,
    'database_url it runs its own PostgreSQL. On the same server it could be (the password is not copied):',
    `database_url: postgres://nodeledger:PASSWORD@${server}/nodeledger`,
  ];
}

function page(
  lines: readonly Line[],
  database: readonly string[],
  comments: readonly string[],
  notes: readonly string[],
): string {
  const comment = (text: string): string => `# ${text.replaceAll(/[\r\n]+/g, ' ')}\n`;
  const parts = [
    comment('Settings of nodeledger, converted from those of a PuppetDB. docs/settings.md describes them.') +
      comment('Clients of PuppetDB expect its names in answers:') +
      'dialect: puppetdb\n',
    lines.map(({ key, value, from }) => `${comment(from)}${key}: ${JSON.stringify(value)}\n`).join(''),
    database.map(comment).join(''),
    comments.length === 0 ? '' : comment('Not converted:') + comments.map(comment).join(''),
    notes.length === 0 ? '' : comment('To look at:') + notes.map(comment).join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}
