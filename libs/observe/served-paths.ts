interface ComponentPaths {
  readonly does: string;
  readonly app: string;
  readonly paths: readonly string[];
  /** Further paths that are served, but that `sentences` does not list. */
  readonly further?: readonly string[];
}

/** Paths below /nodeledger/v1, for the console and for questions about changes. */
const readPaths = [
  'me',
  'session',
  'summary',
  'runs',
  'failures',
  'facets',
  'node-list',
  'fact-distribution',
  'package-versions',
  'search',
  'query-check',
  'query-language',
  'timeline',
  'diff',
  'drift',
  'changes',
].map((name) => `/nodeledger/v1/${name}`);

const ofComponents: Readonly<Record<string, ComponentPaths>> = {
  write: {
    does: 'accepts commands',
    app: 'command-api',
    paths: ['/pdb/cmd', '/pdb/admin', '/nodeledger/v1/dead-letters', '/nodeledger/v1/agent-reports'],
    further: ['/nodeledger/v1/operation', '/nodeledger/v1/settings', '/nodeledger/v1/subscriptions'],
  },
  project: { does: 'builds the tables', app: 'projector', paths: [] },
  read: {
    does: 'answers queries',
    app: 'query-api',
    paths: ['/pdb/query', '/console'],
    further: readPaths,
  },
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
  private readonly further: readonly string[];

  constructor(private readonly components: ReadonlySet<string>) {
    const mine = Object.entries(ofComponents).filter(([name]) => components.has(name));
    this.further = mine.flatMap(([, { further = [] }]) => further);
    this.own = [...mine.flatMap(([, { paths }]) => paths), ...ofEveryProcess];
  }

  has(path: string): boolean {
    return [...this.own, ...this.further].some((served) => isBelow(path, served));
  }

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

  /**
   * Returns a hint for an answer with status 404. Returns undefined if `path` is below a path that this process serves.
   */
  hintFor(path: string): string | undefined {
    return this.has(path) ? undefined : this.sentences().join(' ');
  }
}

const isBelow = (path: string, served: string): boolean => path === served || path.startsWith(`${served}/`);
