/**
 * A Puppet installation below one folder: a certificate authority, a puppetserver that uses the service, and agents.
 * Uses Debian's packages puppetserver, puppet-agent and puppet-terminus-puppetdb, and from /etc only the configuration
 * files of puppetserver.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/until';

const serverFiles = '/etc/puppet/puppetserver';
const serverJar = '/usr/share/puppetserver/puppetserver.jar';
const terminus = '/usr/lib/ruby/vendor_ruby/puppet/indirector/catalog/puppetdb.rb';
export const serverName = 'puppet.site.test';
/** puppetserver starts JRuby twice. */
const startMs = 300_000;
const longestRunMs = 180_000;

/** Returns the reason why the installation cannot be made here, or undefined. */
export function missingPart(): string | undefined {
  if (process.getuid?.() !== 0) return 'puppetserver has to be started as root here';
  if (!existsSync(serverJar)) return 'Debian’s package puppetserver is not installed';
  if (!existsSync(terminus)) return 'Debian’s package puppet-terminus-puppetdb is not installed';
  if (spawnSync('puppet', ['--version']).status !== 0) return 'Debian’s package puppet-agent is not installed';
  return undefined;
}

export interface Run {
  readonly code: number | null;
  readonly output: string;
}

export interface SiteOptions {
  /** Empty, and readable by the user puppet. */
  readonly root: string;
  readonly serverPort: number;
  /** In the form of `server_urls` of puppetdb.conf: https://localhost:8081 */
  readonly storeUrl: string;
  /** The manifest of the environment production. */
  readonly manifest: string;
}

export class PuppetSite {
  private server: ChildProcess | undefined;

  constructor(private readonly options: SiteOptions) {}

  private at(...parts: string[]): string {
    return join(this.options.root, ...parts);
  }

  /** Writes the configuration, makes the certificate authority, and starts puppetserver. */
  async start(): Promise<void> {
    await this.configure();
    await this.must('puppetserver', [
      ...['ca', 'setup', '--config', this.at('conf/puppet.conf')],
      ...['--certname', serverName, '--subject-alt-names', `localhost,${serverName}`],
    ]);
    await this.must('chown', ['-R', 'puppet:puppet', this.options.root]);
    const log = createWriteStream(this.at('server.log'));
    const java = ['-Xms512m', '-Xmx1g', '-Djruby.lib=/usr/share/jruby/lib'];
    java.push('-Djruby.logger.class=com.puppetlabs.jruby_utils.jruby.Slf4jLogger', '-jar', serverJar);
    this.server = spawn(
      'runuser',
      [
        ...['-u', 'puppet', '--', 'java', ...java],
        '--config',
        this.at('conf.d'),
        '--bootstrap-config',
        this.at('services.d'),
      ],
      { cwd: '/usr/share/puppetserver', stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    this.server.stdout?.pipe(log, { end: false });
    this.server.stderr?.pipe(log, { end: false });
    await until(() => this.answers(), { what: 'puppetserver answers', withinMs: startMs }).catch(
      async (error: unknown) => {
        throw new Error(`${String(error)}\n${(await this.serverLog()).slice(-4_000)}`);
      },
    );
  }

  async serverLog(): Promise<string> {
    return readFile(this.at('server.log'), 'utf8').catch(() => '');
  }

  /** Ends puppetserver and what it has started. */
  async stop(): Promise<void> {
    const { server } = this;
    if (server?.pid === undefined || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    process.kill(-server.pid, 'SIGTERM');
    const late = setTimeout(() => server.pid !== undefined && process.kill(-server.pid, 'SIGKILL'), 30_000);
    await ended;
    clearTimeout(late);
  }

  /** Gets a certificate for a name, as a new agent does. Returns the ssl directory of the agent. */
  async certificate(name: string, altNames: readonly string[] = []): Promise<string> {
    const names = altNames.length === 0 ? [] : ['--dns_alt_names', altNames.join(',')];
    await this.must('puppet', ['ssl', 'bootstrap', ...this.agentFlags(name), ...names]);
    return this.at('agents', name, 'ssl');
  }

  /** Runs an agent once. Exit codes: 0 no changes, 2 changes, 4 and 6 failures. */
  agent(name: string, flags: readonly string[] = []): Promise<Run> {
    return this.run('puppet', ['agent', '--test', '--color=false', ...this.agentFlags(name), ...flags]);
  }

  /** Runs `puppet` as an operator does on the machine of the puppetserver. */
  onServer(...args: string[]): Promise<Run> {
    const folders = ['conf', 'var', 'ssl', 'code', 'log', 'run'].map((name) => `--${name}dir=${this.at(name)}`);
    return this.run('puppet', [...args, '--color=false', ...folders]);
  }

  private async configure(): Promise<void> {
    const { serverPort, storeUrl, manifest } = this.options;
    const folders = ['conf', 'code/environments/production/manifests', 'var', 'ssl', 'log', 'run', 'agents'];
    for (const folder of folders) await mkdir(this.at(folder), { recursive: true });
    const ownFolders = ['conf', 'var', 'ssl', 'code', 'log', 'run'].map((name) => `${name}dir = ${this.at(name)}`);
    await this.write('conf/puppet.conf', [
      ...['[main]', `certname = ${serverName}`, 'server = localhost', `serverport = ${serverPort}`, ...ownFolders],
      ...['[server]', `cadir = ${this.at('ca')}`, 'autosign = true'],
      ...['storeconfigs = true', 'storeconfigs_backend = puppetdb', 'reports = puppetdb'],
    ]);
    await this.write('conf/routes.yaml', ['server:', '  facts:', '    terminus: puppetdb', '    cache: yaml']);
    await this.write('conf/puppetdb.conf', ['[main]', `server_urls = ${storeUrl}`, 'soft_write_failure = true']);
    await writeFile(this.at('code/environments/production/manifests/site.pp'), manifest);
    await cp(join(serverFiles, 'conf.d'), this.at('conf.d'), { recursive: true });
    await cp(join(serverFiles, 'services.d'), this.at('services.d'), { recursive: true });
    await this.configureServer(serverPort);
  }

  private async configureServer(port: number): Promise<void> {
    const file = this.at('conf.d/puppetserver.conf');
    let text = await readFile(file, 'utf8');
    for (const name of ['conf', 'code', 'var', 'run', 'log']) {
      text = text.replace(new RegExp(`^(\\s*server-${name}-dir:).*$`, 'm'), `$1 ${this.at(name)}`);
    }
    await writeFile(file, text.replace('jruby-puppet: {', 'jruby-puppet: {\n    max-active-instances: 1'));
    await this.write('conf.d/webserver.conf', [
      'webserver: {',
      'client-auth: want',
      'ssl-host: 127.0.0.1',
      `ssl-port: ${port}`,
      '}',
    ]);
    await this.write('conf.d/ca.conf', ['certificate-authority: { allow-subject-alt-names: true }']);
    await this.write('conf.d/global.conf', [`global: { logging-config: "${this.at('logback.xml')}" }`]);
    await this.write('logback.xml', [
      '<configuration>',
      '<appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">',
      '<encoder><pattern>%d %-5p [%c{1}] %m%n</pattern></encoder>',
      '</appender>',
      '<root level="info"><appender-ref ref="OUT"/></root>',
      '</configuration>',
    ]);
  }

  private write(file: string, lines: readonly string[]): Promise<void> {
    return writeFile(this.at(file), `${lines.join('\n')}\n`);
  }

  private agentFlags(name: string): string[] {
    const folders = ['conf', 'var', 'ssl', 'run', 'log', 'state'].map(
      (part) => `--${part}dir=${this.at('agents', name, part)}`,
    );
    return [...folders, '--certname', name, '--server', 'localhost', '--serverport', String(this.options.serverPort)];
  }

  private async answers(): Promise<boolean> {
    if (this.server?.exitCode !== null) throw new Error('puppetserver has ended');
    const address = `https://localhost:${this.options.serverPort}/status/v1/simple`;
    return (await this.run('curl', ['-sk', '--max-time', '5', address])).output === 'running';
  }

  private async must(program: string, args: readonly string[]): Promise<void> {
    const { code, output } = await this.run(program, args);
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  }

  private run(program: string, args: readonly string[]): Promise<Run> {
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], timeout: longestRunMs });
      let output = '';
      const hear = (text: string): void => void (output += text);
      child.stdout.setEncoding('utf8').on('data', hear);
      child.stderr.setEncoding('utf8').on('data', hear);
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output }));
    });
  }
}
