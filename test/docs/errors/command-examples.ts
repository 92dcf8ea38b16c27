import { gzipSync } from 'node:zlib';
import type { FaultCode } from '#fault';
import { catalog, factset } from '../../support/documents';
import { fatalRecord } from '../../../libs/projections/dead-letters/fatal-records';
import { type Example, refusal } from './example';
import { answered, ask, type Asked } from './http-client';
import type { LittleService } from './little-service';

const path = '/pdb/cmd/v1';
const parameters = { command: 'replace_facts', version: '5', certname: 'web1' };
const facts = JSON.stringify(factset('web1', { kernel: 'Linux' }));
const post = (asked: Asked): Asked => ({ method: 'POST', parameters, body: facts, ...asked });

/** Submissions that the service refuses at once. */
export async function commandExamples({ url }: LittleService): Promise<Example[]> {
  return [
    await answered(
      'command.invalid',
      url,
      path,
      post({
        parameters: { ...parameters, command: 'replace_fact' },
        given: 'POST /pdb/cmd/v1?command=replace_fact&version=5&certname=web1',
      }),
    ),
    await answered(
      'command.too-large',
      url,
      path,
      post({
        body: Buffer.alloc(30_000, ' '),
        given: 'POST /pdb/cmd/v1?…, with a body larger than NODELEDGER_MAX_COMMAND_SIZE',
      }),
    ),
    await answered(
      'command.encoding',
      url,
      path,
      post({ headers: { 'Content-Encoding': 'br' }, given: 'POST /pdb/cmd/v1?…\nContent-Encoding: br' }),
    ),
  ];
}

/** Payloads that the projector rejects, and the answers to clients that wait for the commands. */
const payloads: readonly (readonly [FaultCode, string, Asked])[] = [
  ['wire.json', '{"certname": "web1", "values": ', { body: '{"certname": "web1", "values": ' }],
  [
    'wire.number',
    '{"certname": "web1", "values": {"load": 1e999}, …}',
    { body: '{"certname": "web1", "values": {"load": 1e999}}' },
  ],
  ['wire.encoding', 'A payload with the byte 0xff', { body: Buffer.from([0x7b, 0xff, 0x7d]) }],
  [
    'wire.gzip',
    'Half of a gzip stream',
    {
      headers: { 'Content-Encoding': 'gzip', 'X-Uncompressed-Length': '100' },
      body: gzipSync(facts).subarray(0, 40),
    },
  ],
  [
    'wire.limit',
    'Facts with many levels, more than a payload may have',
    { body: `{"certname": "web1", "values": ${'['.repeat(40)}${']'.repeat(40)}}` },
  ],
  [
    'wire.shape',
    '{"certname": "web1", "environment": 7, "values": {}, "producer_timestamp": "noon"}',
    { body: '{"certname": "web1", "environment": 7, "values": {}, "producer_timestamp": "noon"}' },
  ],
  ['wire.certname', 'Facts of web2, submitted with certname=web1', { body: JSON.stringify(factset('web2', {})) }],
  [
    'wire.version',
    'POST /pdb/cmd/v1?command=replace_catalog&version=10&certname=web1',
    {
      parameters: { command: 'replace_catalog', version: '10', certname: 'web1' },
      body: JSON.stringify(catalog('web1', [], [])),
    },
  ],
];

/** Returns the exception of a dead letter, as a waiting client gets it. */
export async function letterExamples(service: LittleService): Promise<Example[]> {
  const found: Example[] = [];
  for (const [code, given, asked] of payloads) {
    const whole = post(asked);
    const answer = await ask(service.url, path, {
      ...whole,
      parameters: { ...whole.parameters, secondsToWaitForCompletion: '60' },
    });
    if (answer.code !== code) throw new Error(`${given}: ${answer.status} ${answer.code} in place of ${code}`);
    const { exception } = JSON.parse(answer.text) as { exception: string };
    found.push({ code, given, text: exception });
  }
  found.push(
    await answered('wire.shape', service.url, '/nodeledger/v1/agent-reports', {
      method: 'POST',
      body: '{"host": "web1"}',
    }),
    await letter(service, 'wire.too-large', 'A payload that inflates to more than its sender says', {
      command: 'replace facts',
      payload: gzipSync(Buffer.alloc(30_000_000, ' ')),
      encoding: 'gzip',
    }),
    await letter(service, 'wire.command', 'A command of a later release', {
      command: 'replace secrets',
      payload: Buffer.from('{}'),
    }),
    await refusal('projections.fatal-record', 'A command with which the projector runs out of memory twice', () => {
      throw fatalRecord('out of memory');
    }),
  );
  return found;
}

interface Given {
  readonly command: string;
  readonly payload: Buffer;
  readonly encoding?: 'gzip' | 'identity';
}

/** Causes the error of a record that no submission can create. */
async function letter(
  { bench, completions }: LittleService,
  code: FaultCode,
  given: string,
  { command, payload, encoding = 'identity' }: Given,
): Promise<Example> {
  const position = await bench.log.append({
    uuid: '3f2c2a5e-0000-4000-8000-000000000000',
    command,
    version: 5,
    certname: 'web1',
    receivedAt: 0,
    encoding,
    payload,
  });
  const completion = await completions.wait(position, 60_000);
  const exception = completion.processed ? (completion.rejection?.exception ?? 'applied') : 'not processed';
  if (!exception.startsWith(`${code}:`)) throw new Error(`${given}: ${exception} in place of ${code}`);
  return { code, given, text: exception };
}
