import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { readArguments, DEFAULT_DIST } from './support/arguments.mjs';
import { decodingCases } from './decoding/cases.mjs';

const usage = `Usage: node test/load/decoding.mjs [options]

Measures what reading a document costs: user and system time of this process, garbage collection included, in milliseconds a
document. Variants take turns; the least of all rounds is printed, and the median.

  --dist DIR       the built project (default: dist); again for each further variant to compare with
  --rounds N       how often each case is measured (default 7)
  --only TEXT      cases whose name contains the text
  --layout LAYOUT  pretty (default) or compact documents
`;
const values = readArguments(usage, {
  dist: { type: 'string', multiple: true, default: [DEFAULT_DIST] },
  rounds: { type: 'string', default: '7' },
  only: { type: 'string', default: '' },
  layout: { type: 'string', default: 'pretty' },
});

// On a busy machine, the thread of the compiler may get no processor time, and the measurement then shows the
// interpreter.
setFlagsFromString('--no-concurrent-recompilation');

const require = createRequire(import.meta.url);
const load = (dist, part, folder = 'libs') => {
  const path = resolve(dist, folder, part, 'index.js');
  if (!existsSync(path)) throw new Error(`${path} is missing: build the project first`);
  return require(path);
};
const variants = values.dist.map((dist) => ({ dist, wire: load(dist, 'wire'), ...load(dist, 'limits') }));
const { Fleet } = load(values.dist[0], 'fleet', 'tools');

const milliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const cases = decodingCases(new Fleet('decoding', values.layout)).filter(({ name }) => name.includes(values.only));
const taken = new Map(cases.map((one) => [one, variants.map(() => [])]));
/** Warm-up time of each variant with a case, so that its code is compiled. */
const warmMilliseconds = 1000;
for (const one of cases) {
  for (const variant of variants) {
    for (const end = milliseconds() + warmMilliseconds; milliseconds() < end;)
      await (await one.prepare(variant)).work();
  }
  for (let round = 0; round < Number(values.rounds); round++) {
    const order = variants.map((_, index) => (round % 2 === 0 ? index : variants.length - 1 - index));
    for (const index of order) {
      const { work, documents } = await one.prepare(variants[index]);
      const before = milliseconds();
      await work();
      const cost = (milliseconds() - before) / documents;
      taken.get(one)[index].push(cost);
    }
  }
  const columns = taken.get(one).map((all) => {
    all.sort((a, b) => a - b);
    return `${all[0].toFixed(2).padStart(7)} (${all[all.length >> 1].toFixed(2)})`;
  });
  process.stdout.write(`${one.name.padEnd(52)} ${columns.join('  ')}\n`);
}
process.stdout.write(`columns: ${variants.map(({ dist }) => join(dist)).join(', ')}\n`);
