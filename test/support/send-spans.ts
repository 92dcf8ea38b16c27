/**
 * Sends the spans of a request and of a batch to the collector of the environment, and prints the outcome. A separate
 * program, because the packages of OpenTelemetry load modules in a way that jest does not allow.
 */
import { openTracing } from '#observe';

const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true };

async function send(sampled: boolean): Promise<object> {
  const outcomes: (string | null)[] = [];
  const tracing = await openTracing({ version: '1.2.3', onSent: (failure) => outcomes.push(failure ?? null) });
  const attributes = { 'http.request.method': 'GET' };
  const request = tracing.start('GET', { serves: true, parent: { ...parent, sampled }, attributes });
  const query = request.child('query', { route: 'nodes', nothing: undefined });
  query.set({ rows: 3 });
  query.end('query.timeout');
  query.set({ rows: 4 });
  query.end();
  request.end();
  if (sampled) tracing.start('project batch').end();
  const start = performance.now();
  await tracing.close();
  return { outcomes, context: request.context, closeMs: performance.now() - start };
}

send(process.argv[2] !== 'unsampled')
  .then((outcome) => process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0)))
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
