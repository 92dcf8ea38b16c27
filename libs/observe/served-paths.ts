/** Which paths a process serves: those of its components, and those of every process. */

interface ComponentPaths {
  readonly does: string;
  /** The app with this component alone. */
  readonly app: string;
  readonly paths: readonly string[];
}

const ofComponents: Readonly<Record<string, ComponentPaths>> = {
  write: {
    does: 'accepts commands',
    app: 'command-api',
    paths: ['/pdb/cmd', '/pdb/admin', '/nodeledger/v1/dead-letters', '/nodeledger/v1/agent-reports'],
  },
  project: { does: 'builds the tables', app: 'projector', paths: [] },
  read: { does: 'answers queries', app: 'query-api', paths: ['/pdb/query'] },
};

const ofEveryProcess: readonly string[] = [
  '/status/v1',
  '/pdb/meta/v1',
  '/nodeledger/v1/live',
  '/nodeledger/v1/ready',
  '/metrics',
  '/openapi.json',
  '/docs/api',
];

export class ServedPaths {
  private readonly own: readonly string[];

  /** `components`: those that this process has. */
  constructor(private readonly components: ReadonlySet<string>) {
    const mine = Object.entries(ofComponents).filter(([name]) => components.has(name));
    this.own = [...mine.flatMap(([, { paths }]) => paths), ...ofEveryProcess];
  }

  /** Whether a path lies below one that this process serves. */
  has(path: string): boolean {
    return this.own.some((served) => isBelow(path, served));
  }

  /** What this process serves, and which processes serve the rest; one sentence each. */
  sentences(): readonly string[] {
    const all = Object.entries(ofComponents);
    const mine = all.filter(([name]) => this.components.has(name)).map(([, { does }]) => does);
    const others = all.filter(([name]) => !this.components.has(name));
    return [
      `This process ${mine.join(', ')}. It serves ${this.own.join(', ')}.`,
      ...others.map(([name, { does, app, paths }]) => {
        const served = paths.length === 0 ? '' : `, and serves ${paths.join(', ')}`;
        return `A process with the component ${name} (${app}) ${does}${served}.`;
      }),
    ];
  }

  /** What an answer 404 says besides; undefined for a path below one that is served: there, only its end is wrong. */
  hintFor(path: string): string | undefined {
    return this.has(path) ? undefined : this.sentences().join(' ');
  }
}

const isBelow = (path: string, served: string): boolean => path === served || path.startsWith(`${served}/`);
