/** Lists the commands of the pages that test/e2e/docs-commands.spec.ts does not run, with reasons. */
import type { PageCommand } from './page-commands';

type Reason =
  /** Another test, or .ci/run, runs it. */
  | 'another test'
  /** Needs a product that is not part of this repository. */
  | 'other product'
  /** Changes accounts, services or folders of the machine. */
  | 'changes the machine'
  /** Measures for minutes. */
  | 'long measurement';

export interface NotRun {
  readonly pattern: RegExp;
  readonly reason: Reason;
  /**
   * The file that runs the command, and a text in that file that proves it. Required with the reason `another test`.
   */
  readonly instead?: readonly [file: string, text: string];
}

export const notRun: readonly NotRun[] = [
  { pattern: /^npm ci$/, reason: 'another test', instead: ['.ci/run', '\nnpm ci\n'] },
  { pattern: /^npm pack$/, reason: 'another test', instead: ['test/e2e/package.spec.ts', "['pack'"] },
  {
    pattern: /^npm install --prefix \. \.\/nodeledger/,
    reason: 'another test',
    instead: ['test/e2e/package.spec.ts', "['install'"],
  },
  { pattern: /^npx nodeledger start$/, reason: 'another test', instead: ['test/e2e/package.spec.ts', "['start'"] },
  {
    pattern: /^KAFKA_BROKERS=\S+ npm start$/,
    reason: 'another test',
    instead: ['test/e2e/processes.spec.ts', 'KAFKA_BROKERS'],
  },
  { pattern: /^nodeledger log copy /, reason: 'another test', instead: ['test/e2e/log-copy.spec.ts', "'copy'"] },
  { pattern: /^puppet (ssl|node) /, reason: 'other product' },
  { pattern: /prometheus-puppetdb-exporter/, reason: 'other product' },
  { pattern: /^docker (build|exec|run) /, reason: 'other product' },
  { pattern: /^kubectl /, reason: 'other product' },
  { pattern: /^initdb /, reason: 'other product' },
  { pattern: /^(useradd|systemctl|systemd-run) /, reason: 'changes the machine' },
  { pattern: /^(ln -s|install -d|cp|printf) .*\/(opt|etc|srv)\//, reason: 'changes the machine' },
  { pattern: /^npm install --prefix \/opt\//, reason: 'changes the machine' },
  { pattern: /^npm run bench /, reason: 'long measurement' },
  { pattern: /^REFERENCE_DIR=.* npm run bench /, reason: 'long measurement' },
];

export const entryOf = ({ text }: PageCommand): NotRun | undefined => notRun.find(({ pattern }) => pattern.test(text));
