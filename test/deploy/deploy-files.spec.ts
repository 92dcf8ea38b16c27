/**
 * Tests that the settings, verbs and paths in the files of `deploy` exist. Linters of their formats: `npm run
 * test:deploy`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { readSettings } from '#config';
import { readComponents } from '../../apps/server/components';

const project = join(__dirname, '../..');
const manifests = join(project, 'deploy/kubernetes');
const text = (path: string): string => readFileSync(join(project, path), 'utf8');

interface Container {
  readonly args: readonly string[];
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly object[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly livenessProbe: { readonly httpGet: { readonly path: string } };
  readonly readinessProbe: { readonly httpGet: { readonly path: string } };
}
interface Manifest {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template?: { readonly spec: { readonly containers: readonly [Container] } } };
}

const workloads = readdirSync(manifests).flatMap((file) =>
  parseAllDocuments(readFileSync(join(manifests, file), 'utf8')).flatMap((document) => {
    const { metadata, spec } = document.toJS() as Manifest;
    const container = spec.template?.spec.containers[0];
    return container === undefined ? [] : [{ name: `${file}: ${metadata.name}`, container }];
  }),
);

test('the workloads are found', () => expect(workloads).toHaveLength(4));

test.each(workloads)('$name starts, and is asked about what it has', ({ container }) => {
  const { args, env, envFrom, ports, image } = container;
  expect(args[0]).toBe('start');
  const { components, flags } = readComponents(args.slice(1));
  const shared = envFrom === undefined ? {} : { DATABASE_URL: 'postgres://a:b@c/d', KAFKA_BROKERS: 'k1:9092' };
  const environment = { ...shared, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) };
  const { settings } = readSettings(flags, environment);
  // Without this setting, every client that can connect may do everything.
  expect(settings.authorization).toBe('/dev/null');
  expect(ports.map(({ containerPort }) => containerPort)).toEqual([settings.port]);
  expect(container.livenessProbe.httpGet.path).toBe('/nodeledger/v1/live');
  // The only pod answers queries also while it refuses commands.
  const ready = components.size === 3 ? 'read' : [...components].join();
  expect(container.readinessProbe.httpGet.path).toBe(`/nodeledger/v1/ready/${ready}`);
  const { version } = JSON.parse(text('package.json')) as { version: string };
  expect(image).toBe(`nodeledger:${version}`);
});

const { services } = parse(text('docker-compose.yml'), { merge: true }) as {
  services: Record<string, { readonly command?: string; readonly environment?: Record<string, string> }>;
};
const parts = Object.entries(services).flatMap(([name, { command = '', environment = {} }]) => {
  const [, app] = /^node --\S+ dist\/apps\/([\w-]+)\/main\.js$/.exec(command) ?? [];
  return app === undefined ? [] : [{ name, app, environment }];
});

test.each(parts)('$name of docker-compose.yml runs $app with settings that exist', ({ app, environment }) => {
  expect(existsSync(join(project, 'apps', app, 'main.ts'))).toBe(true);
  expect(readSettings([], environment).settings.host).toBe('0.0.0.0');
});

test('docker-compose.yml has all components', () => {
  expect([...new Set(parts.map(({ app }) => app))].sort()).toEqual(['command-api', 'projector', 'query-api']);
});

test.each(['deploy/Dockerfile', 'deploy/systemd/nodeledger.service', 'deploy/systemd/nodeledger-backup.service'])(
  '%s names settings that exist',
  (path) => {
    const named = [...text(path).matchAll(/\b(NODELEDGER_[A-Z_]+)=(\S+)/g)].map(([, key, value]) => [key, value]);
    expect(named.length).toBeGreaterThan(0);
    const ofFiles = named.filter(([key]) => key !== 'NODELEDGER_CONFIG');
    expect(() => readSettings([], Object.fromEntries(ofFiles))).not.toThrow();
  },
);

test('the Dockerfile uses a Node.js that the package supports, in all stages the same', () => {
  const bases = [...text('deploy/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect([...new Set(bases)]).toEqual(['node:24-bookworm-slim']);
  const { engines } = JSON.parse(text('package.json')) as { engines: { node: string } };
  expect(engines.node).toMatch(/>=24\./);
});
