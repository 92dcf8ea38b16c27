/**
 * Runs the PuppetDB of Debian's package on loopback with a database of its own. Does not use its configuration in /etc.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '#database';
import { freePorts } from '../../support/free-ports';
import { freshDatabase, type FreshDatabase } from '../../support/postgres';
import { until } from '../../support/until';

const jar = '/usr/share/puppetdb/puppetdb.jar';
const bootstrap = '/etc/puppetdb/bootstrap.cfg';
/** Half a minute on an idle machine; this one may be busy. */
const startMs = 400_000;

/** Returns the reason why PuppetDB cannot be started here, or undefined. */
export function missingPart(): string | undefined {
  if (!existsSync(jar) || !existsSync(bootstrap)) return 'Debian’s package puppetdb is not installed';
  if (spawnSync('java', ['-version']).status !== 0) return 'there is no Java';
  return undefined;
}

/** Nothing is removed because of its age: the documents of the tests have fixed times. */
const ages =
  'gc-interval = 0\nnode-ttl = 4000d\n' +
  'node-purge-ttl = 20000d\nreport-ttl = 20000d\nresource-events-ttl = 20000d\n';

const openToAll = `authorization: { version: 1, rules: [ { match-request: { path: "/", type: path },
  allow-unauthenticated: true, sort-order: 1, name: "all" } ] }
`;

export class PuppetDbServer {
  private constructor(
    readonly url: string,
    /** Folder of its .ini files. */
    readonly config: string,
    private readonly process: ChildProcess,
    private readonly database: FreshDatabase,
    /** Tables that PuppetDB fills by itself. */
    private readonly ownTables: readonly string[] = [],
  ) {}

  /** `root`: an empty folder. */
  static async start(root: string): Promise<PuppetDbServer> {
    const database = await freshDatabase();
    await within(database.connectionString, async (db) => {
      await db.query({ text: 'CREATE EXTENSION pg_trgm', values: [] });
    });
    const { host, pathname, username, password } = new URL(database.connectionString);
    const [port] = (await freePorts(1)) as [number];
    const config = join(root, 'conf.d');
    await mkdir(config);
    const subname = `//${host}${pathname}`;
    const login = `subname = ${subname}\nusername = ${username}\npassword = ${decodeURIComponent(password)}\n`;
    await writeFile(join(config, 'auth.conf'), openToAll);
    await writeFile(join(config, 'config.ini'), `[global]\nvardir = ${root}\n[command-processing]\nthreads = 1\n`);
    await writeFile(join(config, 'database.ini'), `[database]\n${login}${ages}`);
    await writeFile(join(config, 'jetty.ini'), `[jetty]\nhost = 127.0.0.1\nport = ${port}\n`);
    await writeFile(join(config, 'puppetdb.ini'), '[puppetdb]\ndisable-update-checking = true\n');
    // It runs for minutes, so the optimizing compiler would cost more time than it saves.
    const java = [
      '-Xmx512m',
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-cp',
      jar,
      'clojure.main',
      '-m',
      'puppetlabs.puppetdb.core',
      'services',
    ];
    const process = spawn('java', [...java, '-c', config, '--bootstrap-config', bootstrap], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(join(root, 'puppetdb.log'));
    process.stdout?.pipe(log, { end: false });
    process.stderr?.pipe(log, { end: false });
    const url = `http://127.0.0.1:${port}`;
    let server = new PuppetDbServer(url, config, process, database);
    const answers = async (): Promise<boolean> => {
      if (process.exitCode !== null) throw new Error('PuppetDB has ended');
      return (await fetch(`${url}/pdb/meta/v1/version`).catch(() => undefined))?.ok === true;
    };
    await until(answers, { what: 'PuppetDB answers', withinMs: startMs }).catch(async (error: unknown) => {
      const said = await readFile(join(root, 'puppetdb.log'), 'utf8');
      await server.stop();
      throw new Error(`${String(error)}\n${said.slice(-4_000)}`);
    });
    server = new PuppetDbServer(url, config, process, database, await filledTables(database.connectionString));
    return server;
  }

  /** Waits until its queue is empty. */
  async settled(): Promise<void> {
    const depth = `${this.url}/metrics/v2/read/puppetlabs.puppetdb.mq:name=global.depth`;
    const isEmpty = async (): Promise<boolean> =>
      ((await (await fetch(depth)).json()) as { value: { Count: number } }).value.Count === 0;
    await until(isEmpty, { what: 'an empty queue of PuppetDB', withinMs: 180_000, everyMs: 200 });
  }

  /** Removes everything, which is faster than a start with an empty database (half a minute). */
  async empty(): Promise<void> {
    await this.settled();
    const filled = await filledTables(this.database.connectionString);
    const tables = filled.filter((table) => !this.ownTables.includes(table));
    if (tables.length === 0) return;
    await within(this.database.connectionString, async (db) => {
      await db.query({ text: `TRUNCATE ${tables.join(', ')} CASCADE`, values: [] });
    });
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = new Promise((resolve) => this.process.once('exit', resolve));
      this.process.kill('SIGKILL');
      await ended;
    }
    await this.database.drop();
  }
}

async function within<T>(connectionString: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = new Database({ connectionString, max: 1 });
  return work(db).finally(() => db.close());
}

/** Returns the tables with rows. Their names are quoted for SQL. */
function filledTables(connectionString: string): Promise<string[]> {
  return within(connectionString, async (db) => {
    const all = await db.query<{ name: string }>({
      text: `SELECT oid::regclass::text AS name FROM pg_class
             WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
      values: [],
    });
    const filled: string[] = [];
    for (const { name } of all) {
      const [row] = await db.query({ text: `SELECT FROM ${name} LIMIT 1`, values: [] });
      if (row !== undefined) filled.push(name);
    }
    return filled;
  });
}
