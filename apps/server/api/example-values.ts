import { examplePayloads, readCommand } from '#wire';
import type { ExampleValues } from '#openapi';

const certname = 'web01.example.com';

/** The times are at the beginning of `day`, so that the nodes in the examples do not expire immediately. */
export function exampleValues(day: string): ExampleValues {
  const time = `${day}T00:00:00.000Z`;
  const payload = JSON.stringify(examplePayloads(certname, time)['store report']);
  const header = { command: 'store report', version: 8, certname };
  const report = readCommand(header, Buffer.from(payload));
  if (report.kind !== 'report') throw new Error('the example of a report is none');
  return { certname, time, report: report.hash };
}
