/** Tests the OpenAPI document of a running service: it is valid, its examples work, and the answers match it. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type RunningService, startService, temporaryDataDir } from './service';

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly schema: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: string | number | boolean }>>;
}
interface Content {
  readonly schema: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Content>>;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties?: Readonly<Record<string, { description?: string }>> }>
    >;
    readonly responses: Readonly<Record<string, Response>>;
  };
}
/** One request of an operation. */
interface Request {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly parameters: ReadonlyMap<Parameter, string | number | boolean>;
  readonly body?: unknown;
}

let dataDir: string;
let service: RunningService;
let document: Document;
let ajv: Ajv;

beforeAll(async () => {
  dataDir = await temporaryDataDir();
  const key = join(dataDir, 'webhook.key');
  await writeFile(key, randomBytes(32).toString('base64'));
  service = await startService({ dataDir, env: { NODELEDGER_WEBHOOK_KEY_FILE: key } });
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'document');
}, 120_000);
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
const validator = (...place: string[]): ValidateFunction =>
  ajv.compile({ $ref: `document#/${place.map(escaped).join('/')}` });

function check(value: unknown, about: string, ...place: string[]): void {
  const validate = validator(...place);
  if (!validate(value))
    throw new Error(`${about}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value).slice(0, 2_000)}`);
}

const operations = (): [path: string, method: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );

/** Values that the document cannot contain, because they depend on the data. */
const letters: Record<string, string> = {};
let consoleFile = '';
let workId = '';
const ownValues: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  isComponentReady: () => ({ component: 'read' }),
  getDeadLetter: () => ({ name: letters['first']! }),
  getDeadLetterPayload: () => ({ name: letters['first']! }),
  retryDeadLetter: () => ({ name: letters['first']! }),
  purgeDeadLetter: () => ({ name: letters['first']! }),
  getConsoleFile: () => ({ file: consoleFile }),
  stopWork: () => ({ id: workId }),
};

/**
 * Returns the requests of the examples of an operation, or one without parameters if none is required. Writes may need
 * one of several parameters, which a document cannot express.
 */
function requestsOf(path: string, method: string, operation: Operation): Request[] {
  const { parameters = [], requestBody, operationId } = operation;
  const [bodies = {}] = Object.values(requestBody?.content ?? {}).map(({ examples }) => examples ?? {});
  const names = new Set([...parameters.flatMap(({ examples }) => Object.keys(examples ?? {})), ...Object.keys(bodies)]);
  const base = { path, method, operation };
  const requests = [...names].map((name): Request => {
    const given = parameters.flatMap((one): [Parameter, string | number | boolean][] => {
      const example = one.examples?.[name];
      return example === undefined ? [] : [[one, example.value]];
    });
    return { ...base, parameters: new Map(given), ...(name in bodies && { body: bodies[name]!.value }) };
  });
  const own = ownValues[operationId]?.();
  if (own !== undefined)
    requests.push({
      ...base,
      parameters: new Map(parameters.flatMap((one) => (one.name in own ? [[one, own[one.name]!]] : []))),
    });
  else if (
    (names.size === 0 || method === 'get') &&
    // Without its parameters, the answer does not end.
    operation.responses['200']?.content?.['text/event-stream'] === undefined &&
    requestBody?.required !== true &&
    parameters.every(({ required }) => required !== true)
  )
    requests.push({ ...base, parameters: new Map() });
  return requests;
}

async function send({ path, method, operation, parameters, body }: Request): Promise<void> {
  let url = path;
  const query = new URLSearchParams();
  for (const [{ name, in: where, schema }, value] of parameters) {
    const valid = ajv.compile(typeof schema === 'object' ? { ...(schema as object) } : {});
    expect([name, value, valid(value)]).toEqual([name, value, true]);
    if (where === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, String(value));
  }
  const about = `${method} ${url}?${query.toString()} ${body === undefined ? '' : JSON.stringify(body).slice(0, 300)}`;
  if (body !== undefined)
    check(body, about, 'paths', path, method, 'requestBody', 'content', 'application/json', 'schema');
  const response = await fetch(`${service.url}${url}${query.size === 0 ? '' : `?${query.toString()}`}`, {
    method: method.toUpperCase(),
    redirect: 'manual',
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  if (response.status >= 400) throw new Error(`${about} is answered ${response.status}: ${text}`);
  expect(Object.keys(operation.responses)).toContain(String(response.status));
  const { content } = operation.responses[String(response.status)]!;
  if (content === undefined) return;
  const type = response.headers.get('content-type')!.split(';', 1)[0]!;
  expect([about, Object.keys(content)]).toEqual([about, expect.arrayContaining([type])]);
  const value: unknown = type === 'application/json' ? JSON.parse(text) : text;
  check(value, about, 'paths', path, method, 'responses', String(response.status), 'content', type, 'schema');
}

test('a linter finds nothing wrong with the document', async () => {
  const file = join(dataDir, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const program = require.resolve('@seriousme/openapi-schema-validator/bin/validate-api-cli.js', {
    paths: [process.cwd()],
  });
  const { stdout } = await promisify(execFile)(process.execPath, [program, file]);
  expect(JSON.parse(stdout)).toEqual({ valid: true });
}, 60_000);

const isCommand = ({ tags }: Operation): boolean => tags.includes('commands');

test('the examples of commands are applied', async () => {
  const commands = operations().filter(([, , operation]) => isCommand(operation));
  for (const one of commands) for (const request of requestsOf(...one)) await send(request);
  expect(commands.map(([path]) => path)).toEqual(
    expect.arrayContaining(['/pdb/cmd/v1', '/nodeledger/v1/agent-reports']),
  );
}, 120_000);

/** Starts a verification when no other work runs, and returns its id. */
async function startWork(): Promise<string> {
  for (;;) {
    const answer = await fetch(`${service.url}/nodeledger/v1/operation/work`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"kind":"verify"}',
    });
    if (answer.status === 202) return ((await answer.json()) as { id: string }).id;
    expect(answer.status).toBe(409);
    await delay(100);
  }
}

test('the examples of all other operations are answered as the document says', async () => {
  for (const certname of ['one', 'two']) {
    const envelope = `command=replace_facts&version=5&certname=${certname}&secondsToWaitForCompletion=30`;
    const answer = await fetch(`${service.url}/pdb/cmd/v1?${envelope}`, {
      method: 'POST',
      body: '{"certname":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(503);
    check(await answer.json(), 'a rejected command', 'components', 'schemas', 'Submission');
  }
  const listed = (await (await fetch(`${service.url}/nodeledger/v1/dead-letters`)).json()) as {
    letters: { name: string }[];
  };
  letters['first'] = listed.letters[0]!.name;
  consoleFile = /assets\/([\w-]+\.js)/.exec(await (await fetch(`${service.url}/console`)).text())![1]!;
  // Requests that delete come last: first one dead letter, then all others.
  const others = operations().filter(([, , operation]) => !isCommand(operation));
  const last = ([path, method]: [string, string, Operation]): number =>
    method === 'delete' ? (path.includes('{') ? 1 : 2) : 0;
  others.sort((one, other) => last(one) - last(other));
  let sent = 0;
  for (const one of others) {
    if (one[2].operationId === 'stopWork') workId = await startWork();
    const requests = requestsOf(...one);
    // The body of an import is a file, which the next test sends. Nobody can sign in if roles are not checked.
    if (['importArchive', 'signIn'].includes(one[2].operationId)) continue;
    expect([one[2].operationId, requests.length]).not.toEqual([one[2].operationId, 0]);
    for (const request of requests) {
      await send(request);
      sent++;
    }
  }
  expect(sent).toBeGreaterThan(150);
}, 300_000);

test('an archive goes out and in again as the document says', async () => {
  const path = '/pdb/admin/v1/archive';
  const archive = await (await fetch(`${service.url}${path}`)).blob();
  const form = new FormData();
  form.set('archive', archive, 'archive.tgz');
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', body: form });
  expect(answer.status).toBe(200);
  check(
    await answer.json(),
    'an import',
    'paths',
    path,
    'post',
    'responses',
    '200',
    'content',
    'application/json',
    'schema',
  );
}, 60_000);

test('rows have the columns of their schemas, and no others', async () => {
  const seen = new Set<string>();
  for (const [path, , operation] of operations()) {
    const content = operation.responses['200']?.content?.['application/json']?.schema as
      { items?: { $ref?: string } } | undefined;
    const name = content?.items?.$ref?.split('/').at(-1);
    if (name === undefined || path.includes('{') || !path.startsWith('/pdb/query/v4/')) continue;
    const needed = path.endsWith('event-counts') ? '?summarize_by=certname' : '';
    const [row] = (await (await fetch(`${service.url}${path}${needed}`)).json()) as unknown[];
    expect([path, row]).not.toEqual([path, undefined]);
    // Rows of fact names are texts.
    if (typeof row === 'string') continue;
    const { properties = {} } = document.components.schemas[name]!;
    const usual = Object.entries(properties).filter(
      ([, { description }]) => description?.startsWith('With include_') !== true,
    );
    expect([path, Object.keys(row as object).sort()]).toEqual([path, usual.map(([column]) => column).sort()]);
    seen.add(name);
  }
  expect(seen.size).toBeGreaterThan(15);
}, 60_000);

test.each([
  ['GET', '/pdb/query/v4/nodes?nope=1', undefined, 400],
  ['GET', '/pdb/query/v4/nodes/none', undefined, 404],
  ['POST', '/pdb/query/v4/nodes', '[]', 400],
  ['POST', '/pdb/cmd/v1', '[]', 400],
  ['GET', '/nodeledger/v1/dead-letters/x', undefined, 404],
  ['POST', '/pdb/admin/v1/cmd', '{}', 400],
  ['GET', '/status/v1/services?level=x', undefined, 400],
  ['GET', '/nodeledger/v1/ready/none', undefined, 404],
  ['GET', '/none', undefined, 404],
])('%s %s with %j is refused as the document says', async (method, path, body, status) => {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  });
  expect(answer.status).toBe(status);
  const [type = ''] = answer.headers.get('content-type')!.split(';');
  const text = await answer.text();
  const content = ['components', 'responses', `Refused${status}`, 'content', type, 'schema'];
  check(type === 'application/json' ? JSON.parse(text) : text, path, ...content);
  check(answer.headers.get('x-nodeledger-error'), path, 'components', 'schemas', 'ErrorCode');
});

describe('the answer', () => {
  const ask = (path: string, init: RequestInit = {}): Promise<globalThis.Response> => fetch(service.url + path, init);

  test.each(['/openapi.json', '/docs/api', '/docs/api/swagger-ui.css'])(
    '%s is not sent again to a client that has it',
    async (path) => {
      const first = await ask(path);
      const tag = first.headers.get('etag')!;
      const body = await first.text();
      const head = await ask(path, { method: 'HEAD' });
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, '']);
      for (const known of [tag, `"other", ${tag}`, '*', tag.replace('W/', '')]) {
        const again = await ask(path, { headers: { 'if-none-match': known } });
        expect([known, again.status, await again.text()]).toEqual([known, 304, '']);
      }
      const other = await ask(path, { headers: { 'if-none-match': '"other"' } });
      expect([other.status, await other.text()]).toEqual([200, body]);
      const plain = await ask(path, { headers: { 'accept-encoding': 'identity' } });
      expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, body]);
      expect((await ask(path, { method: 'POST' })).status).toBe(404);
    },
  );

  test('a browser may load the page, and its parts from this service only', async () => {
    const page = await ask('/docs/api');
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|http|\*/);
    const parts = [...(await page.text()).matchAll(/(?:src|href)="(api\/[^"]+)"/g)].map(([, part]) => part!);
    expect(parts).toEqual(['api/swagger-ui.css', 'api/swagger-ui-bundle.js', 'api/start.js']);
    const types = await Promise.all(
      parts.map(async (part) => (await ask(`/docs/${part}`)).headers.get('content-type')),
    );
    expect(types).toEqual(['text/css', 'text/javascript', 'text/javascript'].map((type) => `${type};charset=utf-8`));
    for (const name of ['..%2fviewer.js', 'viewer.js', 'constructor', '__proto__'])
      expect((await ask(`/docs/api/${name}`)).status).toBe(404);
  });

  test('pages of other sites cannot read it', async () => {
    for (const path of ['/openapi.json', '/docs/api']) {
      const answer = await ask(path, { headers: { origin: 'https://evil.example' } });
      expect([answer.status, answer.headers.get('x-nodeledger-error')]).toEqual([403, 'http.other-site']);
    }
  });
});
