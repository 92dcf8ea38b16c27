/** Adapts a command of a page so that it runs in a test, by a few substitutions that apply to all pages. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PageCommand } from './page-commands';
import { builtProgram } from '../../support/built';

const root = join(__dirname, '../../..');

/** The service and files that the commands of a page use. */
export interface Place {
  readonly url: string;
  /** https */
  readonly secureUrl: string;
  /** Contains the folders that the pages place under /etc, /opt, /srv and /var. */
  readonly folder: string;
  /** The data directory of the service. */
  readonly dataDir: string;
  /** The folder with the certificates of the agent. */
  readonly agent: string;
  /** The URL of an empty database. */
  readonly databaseUrl: string;
  /** The positions of two rejected commands, such as 3-17. */
  readonly letters: readonly [string, string];
  /** A position that the tables have reached. */
  readonly position: string;
}

interface Substitution {
  readonly pattern: RegExp;
  with(place: Place, ...groups: readonly string[]): string;
}

/** Applied in this order. */
export const substitutions: readonly Substitution[] = [
  // The package may be installed for another user, and crontab names the time and the user first.
  { pattern: /^sudo -u \w+ /, with: () => '' },
  { pattern: /^(?:[\d*]+ ){5}\w+ +/, with: () => '' },
  { pattern: /^\/usr\/local\/bin\//, with: () => '' },
  // In a synopsis, optional parts are left out, and the first of several alternatives is used.
  { pattern: /\[settings of the new service\]/, with: ({ databaseUrl }) => `--database-url ${databaseUrl}` },
  { pattern: /\[--yes\]/, with: () => '--yes' },
  { pattern: / +\[(?:--|settings)[^\]]*\]/g, with: () => '' },
  { pattern: / \| --.*$/, with: () => '' },
  // Addresses.
  { pattern: /http:\/\/(?:127\.0\.0\.1|\w+\.example\.com):80\d\d/g, with: ({ url }) => url },
  { pattern: /https:\/\/\w+\.example\.com:8081/g, with: ({ secureUrl }) => secureUrl },
  { pattern: /postgres:\/\/[\w:@/]+/, with: ({ databaseUrl }) => databaseUrl },
  { pattern: / KAFKA_BROKERS=[\w:,]+/, with: () => '' },
  { pattern: /--port \d+/, with: () => '--port 0' },
  // Folders and files.
  { pattern: /ssl-setup(?=.*\/var\/lib)/, with: ({ agent }) => `ssl-setup --ssldir ${agent}` },
  { pattern: /((?:token|backup) .*)\/var\/lib\/nodeledger/, with: ({ dataDir }, verb = '') => `${verb}${dataDir}` },
  { pattern: /--data-dir \.\/data/, with: ({ dataDir }) => `--data-dir ${dataDir}` },
  { pattern: /(?<= )\/(?=(?:etc|opt|srv|var)\/)/g, with: ({ folder }) => `${folder}/` },
  // Dead letters, and a position.
  { pattern: /\b3-17\b/g, with: ({ letters }) => letters[0] },
  { pattern: /\b11-2\b/g, with: ({ letters }) => letters[1] },
  { pattern: /\b3-1207\b/, with: ({ position }) => position },
  // Sizes.
  { pattern: /--nodes \d+/, with: () => '--nodes 5' },
  { pattern: /npm (?:run (?:--silent )?)?([\w:-]+)(?: --(?= ))?/, with: (_, script = '') => scriptOf(script) },
];

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** The program that npm would run. The test runs after a build. */
function scriptOf(name: string): string {
  const script = scripts[name] ?? `echo no script ${name} && false`;
  const dist = join(dirname(builtProgram('cli')), '../..');
  return script.replace(/^npm run --silent build && /, '').replace(/(?<=node (?:--\S+ )?)dist(?=\/)/, dist);
}

/** Adds the numbers of the substitutions that changed the command to `used`. */
export function runnable({ text }: Pick<PageCommand, 'text'>, place: Place, used: Set<Substitution>): string {
  let result = text;
  for (const substitution of substitutions) {
    const before = result;
    result = result.replace(substitution.pattern, (_, ...groups: string[]) => substitution.with(place, ...groups));
    if (result !== before) used.add(substitution);
  }
  return result;
}

/** The command runs until it is stopped. */
export const isService = ({ text }: PageCommand): boolean => /npm (start|run start:)/.test(text);
