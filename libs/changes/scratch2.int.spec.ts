/* eslint-disable */
import { StreamBench } from './testing/stream-bench';
import { EndpointBench } from '../../test/support/endpoint-bench';
import { ChangesModule } from './index';
import { factset } from '../../test/support/documents';
it('attacks', async () => {
  const bench = await EndpointBench.open(({ queries }) => ChangesModule.register({ queries }));
  for (let v = 1; v < 4; v++)
    for (let n = 0; n < 4; n++)
      await bench.projection.submit('replace facts', `web${n}`, { payload: factset(`web${n}`, { role: 'web', os: { release: { full: String(v) } }, deep: JSON.parse('['.repeat(900) + v + ']'.repeat(900)), long: 'x'.repeat(900_000) + v + n }, { producer_timestamp: new Date(Date.now() + v).toISOString() }), receivedAt: Date.now() });
  await bench.projection.settle();
  process.stderr.write(`dead ${bench.projection.deadLetters.length}\n`);
  const token = await bench.token('query');
  const A = JSON.stringify;
  const cases: [string, Record<string, string>][] = [
    ['timeline', {}], ['timeline', { certname: 'web1' }], ['timeline', { certname: 'x'.repeat(7000) }], ['timeline', { certname: 'a\0b' }], ['timeline', { certname: '' }],
    ['timeline', { kind: Array(1000).fill('facts').join() }], ['timeline', { kind: '' }], ['timeline', { status: Array(3000).fill('a').join() }], ['timeline', { status: '' }], ['timeline', { status: 'a\0' }],
    ['timeline', { from: '99999999999 years ago' }], ['timeline', { from: '999999 years ago' }], ['timeline', { from: '0001-01-01T00:00:00Z' }], ['timeline', { from: '9999-12-31T23:59:59Z', to: '0001-01-01' }], ['timeline', { from: '@99999999999999' }], ['timeline', { from: '99999999999999' }], ['timeline', { from: '-1' }],
    ['timeline', { after: A(['9999-99-99T99:99:99.999Z', 1, 1, '1', 'facts']) }], ['timeline', { after: A(['2026-01-01T00:00:00.000Z', 999999999999999, 1, '1', 'facts']) }], ['timeline', { after: A(['2026-01-01T00:00:00.000Z', 1, 1, '9999999999999999999', 'facts']) }], ['timeline', { after: A(['2026-01-01T00:00:00.000Z', 1, 1, '-9223372036854775808', 'facts']) }], ['timeline', { after: '[[[[[[' }], ['timeline', { after: A([1, 2]) }], ['timeline', { certname: 'web1', after: A(['9999-99-99T99:99:99.999Z', 1, 1, '1', 'facts']) }],
    ['timeline', { path: 'a.'.repeat(60) + 'a' }], ['timeline', { path: 'deep' + '[0]'.repeat(90) }], ['timeline', { path: 'deep[999999999999999999999]' }], ['timeline', { path: 'deep[0]' }], ['timeline', { path: '.' }], ['timeline', { path: '~"(a+)+$"' }], ['timeline', { path: 'a'.repeat(7000) }], ['timeline', { path: 'a\0' }], ['timeline', { path: 'long' }],
    ['timeline', { resource: 'File[' + 'a'.repeat(7000) + ']' }], ['timeline', { resource: 'File[a\0]' }], ['timeline', { resource: '[]' }], ['timeline', { package: 'a\0' }], ['timeline', { package: 'a'.repeat(7000) }],
    ['timeline', { limit: '0' }], ['timeline', { limit: '201' }], ['timeline', { limit: '1e3' }], ['timeline', { limit: '-1' }], ['timeline', { limit: '99999999999999999999' }],
    ['diff', { a: 'web1', b: 'web2' }], ['diff', { a: 'web1', b: 'web2', format: 'text' }], ['diff', { a: 'web1', b: 'web2', format: 'json-patch' }], ['diff', { a: 'web1@99999999 years ago' }], ['diff', { a: 'web1@1h ago' }], ['diff', { a: 'web1@@@' }], ['diff', { a: '@' }], ['diff', { a: '' }], ['diff', { a: 'web1\0' }], ['diff', { a: 'web1', b: 'web2', part: Array(800).fill('facts').join() }], ['diff', { a: 'web1', b: 'web2', part: '' }], ['diff', { a: 'x'.repeat(7000) }], ['diff', { a: 'web1@0:99999999999999999999999' }], ['diff', { a: 'web1@positions:0' }],
    ['diff/runs', { certname: 'web1' }], ['diff/runs', { certname: '\0' }], ['diff/runs', { certname: 'web1', report: 'a'.repeat(40) }],
    ['drift', { by: 'role' }], ['drift', { by: 'long' }], ['drift', { by: 'deep' }], ['drift', { by: 'os' }], ['drift', { by: 'role', min_group: '0' }], ['drift', { by: 'role', min_group: '1', majority: '100' }], ['drift', { by: 'role', majority: '0' }], ['drift', { by: 'role', majority: '1' }], ['drift', { by: 'role', min_group: '999999999999999' }], ['drift', { by: 'role', limit: '999999' }], ['drift', { by: 'role', part: Array(500).fill('resources').join() }], ['drift', { by: 'role', query: A(['~', 'certname', '(a+)+$'.repeat(50)]) }], ['drift', { by: 'role', query: A(['=', 'certname', 'a\0']) }], ['drift', { by: '"'.repeat(100) }], ['drift', { by: 'a\0' }], ['drift', { by: '~"x"' }], ['drift', { by: 'deep' + '[0]'.repeat(95) }],
  ];
  for (const [path, parameters] of cases) {
    const started = performance.now();
    const answer = await bench.ask(path, parameters, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    const ms = performance.now() - started;
    process.stderr.write(`${answer.status >= 500 || ms > 1500 ? '!!' : '  '} ${answer.status} ${ms.toFixed(0)} ms ${text.length} ${path} ${JSON.stringify(parameters).slice(0, 90)} ${answer.headers.get('x-nodeledger-error')} ${answer.status === 200 ? '' : text.slice(0, 110)}\n`);
  }
  process.stderr.write(`reported ${bench.reported.map(String).join('\n').slice(0, 3000)}\n`);
  await bench.close();
  const s = await StreamBench.open();
  await s.facts('web1', 1); await s.facts('web2', 1);
  const stop = s.project();
  await s.projection.settle();
  const log = (await s.reader.present()).log;
  for (const p of [{ last_event_id: `${log}:${'1,'.repeat(5000)}1@1` }, { last_event_id: `${log}:${'1,'.repeat(1023)}1@1` }, { last_event_id: `${log}:999999999999999,999999999999999,999999999999999@999999999999999` }, { last_event_id: `${log}:1@0` }, { last_event_id: `0000000000000000:5,5,5@999999999999999` }, { last_event_id: `0000000000000000:5@999999999999999` }, { last_event_id: `0000000000000000:1,1,1@0` }, { since: '999999999 years ago' }, { since: '0001-01-01T00:00:00Z' }, { since: '9999-12-31T00:00:00Z' }, { since: '0:1' }, { kind: 'facts,'.repeat(200) }, { certname: 'a\0' }, { certname: '' }, { query: '[[[[[' }, { query: A(['~', 'certname', '(a+)+$']) }, { query: A(['extract', ['certname'], ['=', 'certname', 'x']]) }, { follow: 'no' }] as Record<string, string>[]) {
    const started = performance.now();
    const answer = await fetch(s.url({ follow: 'false', ...p }), { signal: AbortSignal.timeout(15_000) }).catch(String);
    if (typeof answer === 'string') { process.stderr.write(`!! ${answer} ${JSON.stringify(p).slice(0, 80)}\n`); continue; }
    const text = await answer.text().catch(String);
    process.stderr.write(`${answer.status >= 500 ? '!!' : '  '} ${answer.status} ${(performance.now() - started).toFixed(0)} ms stream ${JSON.stringify(p).slice(0, 80)} ${answer.headers.get('x-nodeledger-error')} ${text.slice(0, 100).replaceAll('\n', '|')}\n`);
  }
  await stop();
  await s.close();
}, 300_000);
