/** Tests that schemas and readers refuse the same documents. */
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readAgentReport } from '../agent-report/read-agent-report';
import { commandCatalogue, readCommand } from '../read-command';
import { exampleAgentReport, examplePayloads } from './example-payloads';
import { agentReportSchema, payloadSchemas } from './payload-schemas';

const ajv = addFormats(new Ajv({ strict: false }));
const payloads = examplePayloads('web01.example.com', '2026-01-31T00:00:00.000Z');
const schemas = payloadSchemas();
const values: readonly unknown[] = [undefined, null, true, 7, 'x', [], ['x'], [7], {}];

type Json = Record<string, unknown>;

/** Yields copies of a document in which one member has another value. */
function* changes(document: unknown, path: string): Generator<[string, unknown]> {
  if (Array.isArray(document)) {
    for (const [index, element] of document.entries())
      for (const [where, changed] of changes(element, `${path}[${index}]`))
        yield [where, document.map((one: unknown, at) => (at === index ? changed : one))];
    return;
  }
  if (typeof document !== 'object' || document === null) return;
  for (const [name, member] of Object.entries(document)) {
    for (const value of values) yield [`${path}.${name} ${JSON.stringify(value)}`, { ...document, [name]: value }];
    for (const [where, changed] of changes(member, `${path}.${name}`)) yield [where, { ...document, [name]: changed }];
  }
  yield [`${path}.surplus`, { ...document, surplus: 1 }];
}

const accepts = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

/**
 * Matches problems that a schema cannot detect: a wrong certname, an invalid time, or an edge whose resource is
 * missing.
 */
const beyondSchemas =
  /^\.(?:certname|producer_timestamp|resources|resources\[\d+\]\.(?:type|title)|edges\[\d+\]\.(?:source|target)\.(?:type|title)) (?:"x"|\[\])$/;

test('every command and version has a schema', () => {
  const versions = [...commandCatalogue].flatMap(([command, { minimum, current }]) =>
    Array.from({ length: current - minimum + 1 }, (_, more) => `${command} ${minimum + more}`),
  );
  expect(Object.keys(schemas).sort()).toEqual(versions.sort());
});

const commands = Object.keys(schemas).map((name): [string, string, number] => {
  const [, command, version] = /^(.*) (\d+)$/.exec(name)!;
  return [name, command!, Number(version)];
});

test.each(commands)('%s: the reader and the schema accept the same', (name, command, version) => {
  const validate = ajv.compile(schemas[name] as object);
  const payload = payloads[command] as Json;
  let refused = 0;
  const wrong: string[] = [];
  for (const [where, changed] of changes(payload, '')) {
    const { certname } = payload as { certname: string };
    const read = accepts(() => readCommand({ command, version, certname }, Buffer.from(JSON.stringify(changed))));
    const valid = validate(changed);
    if (!read) refused++;
    if (read && !valid) wrong.push(`${where}: only the schema refuses`);
    if (!read && valid && !beyondSchemas.test(where)) wrong.push(`${where}: only the reader refuses`);
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(5);
});

test('the reader of agents’ reports accepts nothing that the schema refuses', () => {
  const validate = ajv.compile(agentReportSchema() as object);
  const document = exampleAgentReport('web01.example.com', '2026-01-31T00:00:00.000Z') as Json;
  expect(validate(document)).toBe(true);
  const wrong: string[] = [];
  for (const [where, changed] of changes(document, '')) {
    const read = accepts(() => readAgentReport(Buffer.from(JSON.stringify(changed)), 0));
    if (read && !validate(changed)) wrong.push(where);
  }
  expect(wrong).toEqual([]);
});
