import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCommand, checkReport, verdictLines } from './check';

const report = {
  host: 'web1.test',
  time: '2026-01-01T00:00:00.000000000+00:00',
  resource_statuses: {},
  configuration_version: 1,
  report_format: 9,
  agent_version: '5.5.1',
  status: 'unchanged',
  transaction_completed: true,
  noop: false,
  noop_pending: false,
  environment: 'production',
};
const bytes = (document: unknown): Buffer => Buffer.from(JSON.stringify(document));

test('a report that can be sent', () => {
  expect(verdictLines(checkReport(bytes(report)))).toBe('valid: a report of web1.test\n');
});

test('all problems of a report, a line for each', () => {
  const lines = verdictLines(checkReport(bytes({ ...report, noop: 1, 'a\u001b[31m\u009b': 2 })));
  expect(lines).toBe(
    'a\uFFFD[31m\uFFFD: expected no field of this name, found a number\nnoop: expected a boolean, found a number\n2 problems\n',
  );
});

test('a file that is no JSON is one problem', () => {
  expect(checkReport(Buffer.from('{'))).toMatchObject({ valid: false, problems: [{ expected: 'a JSON document' }] });
});

test('the exit code tells, and so does the JSON', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nodeledger-check-'));
  const before = process.exitCode;
  const written: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    const file = join(folder, 'report.json');
    await writeFile(file, bytes(report));
    await checkCommand().parseAsync(['report', file], { from: 'user' });
    expect(process.exitCode).toBe(before);
    await writeFile(file, bytes({ ...report, status: 'fine' }));
    await checkCommand().parseAsync(['report', '--json', file], { from: 'user' });
    expect(process.exitCode).toBe(1);
    expect(JSON.parse(written[1] ?? '')).toMatchObject({ valid: false, problems: [{ path: 'status' }] });
  } finally {
    write.mockRestore();
    process.exitCode = before;
    await rm(folder, { recursive: true, force: true });
  }
});
