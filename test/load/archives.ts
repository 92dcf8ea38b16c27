/**
 * `npm run bench:archives` exports, cleans, backs up and imports a simulated fleet while clients send commands and
 * queries, and prints the durations. Exits with 1 if an answer failed or took longer than `--bound` milliseconds, or if
 * an export took more than 100 MB of memory. `--keep DIR` keeps the loaded fleet for further runs on the same day;
 * `--last export` ends after that phase.
 */
import { parseArgs } from 'node:util';
import { measureArchives, phases } from './archives/measure-archives';

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '2000' },
    bound: { type: 'string', default: '2000' },
    warmup: { type: 'string', default: '20' },
    last: { type: 'string', default: 'import' },
    keep: { type: 'string' },
  },
});
const mostGrowth = 100;

async function main(): Promise<void> {
  const tell = (line: string): void => void process.stdout.write(`${line}\n`);
  const warmUpMs = Number(options.warmup) * 1000;
  const last = phases.find((phase) => phase === options.last);
  if (last === undefined) throw new Error(`--last takes ${phases.join(', ')}`);
  const measured = await measureArchives({ nodes: Number(options.nodes), last, keep: options.keep, warmUpMs, tell });
  for (const { phase, before, peak, failedCommands, failedQueries, slowestCommandMs, slowestQueryMs } of measured) {
    const wrong = [...failedCommands, ...failedQueries];
    const slowest = Math.max(slowestCommandMs, slowestQueryMs);
    if (slowest > Number(options.bound)) wrong.push(`an answer took ${Math.round(slowest)} ms`);
    if (phase === 'export' && peak - before >= mostGrowth) wrong.push(`it took ${Math.round(peak - before)} MB`);
    for (const one of wrong) tell(`${phase}: ${one}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
}

void main();
