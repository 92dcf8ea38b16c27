// Measures both logs: appending, reading, projecting and replaying, and the figures of the machine without nodeledger.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_DIST, builtFleet, readArguments } from './support/arguments.mjs';
import { writeCommands } from './log-throughput/commands.mjs';
import { startKafka, startPostgres } from './log-throughput/servers.mjs';
import { measureSide } from './log-throughput/side.mjs';
import { tables } from './log-throughput/tables.mjs';

const USAGE = `Usage: node test/load/log-throughput.mjs [options]

Kafka: the brokers of TEST_KAFKA_BROKERS or KAFKA_BROKERS, which should serve nobody else (their processor time is not counted
then), else one that is started for the run, where Java and Maven are present.

  --log embedded|kafka     this one only
  --part append|tables     this only: appending; or reading, projecting, replaying
  --nodes N (200)  --runs N (10, the first is the first load)  --seed TEXT (log)
  --partitions N (12)
  --threads N (1)          threads of a replay of 3,000 commands or more
  --in-flight N,N (1,16,200)
  --seconds N (8)          longest time of one appending measurement
  --patience SECONDS (60)  longest time that the run waits in all for the machine to be quiet before a measurement
  --json                   JSON on a terminal, too
  --profile DIR            a processor profile of every phase
  --dist DIR               the built project
`;

const flags = readArguments(USAGE, {
  log: { type: 'string' },
  part: { type: 'string' },
  nodes: { type: 'string', default: '200' },
  runs: { type: 'string', default: '10' },
  seed: { type: 'string', default: 'log' },
  partitions: { type: 'string', default: '12' },
  threads: { type: 'string', default: '1' },
  'in-flight': { type: 'string', default: '1,16,200' },
  seconds: { type: 'string', default: '8' },
  patience: { type: 'string', default: '60' },
  json: { type: 'boolean' },
  profile: { type: 'string' },
  dist: { type: 'string', default: DEFAULT_DIST },
});
const { dist, seed, part, profile } = flags;
const nodes = Number(flags.nodes);
const runs = Number(flags.runs);
const threads = Number(flags.threads);
const levels = flags['in-flight'].split(',').map(Number);
if (![nodes, runs, threads, ...levels].every((number) => Number.isInteger(number) && number > 0) || runs < 2)
  throw new Error('--nodes, --runs (2 or more), --threads and --in-flight take whole numbers');

const say = (line) => process.stderr.write(`${line}\n`);
const loadBefore = loadavg();
const fleetLib = builtFleet(dist);
const work = await mkdtemp(join(tmpdir(), 'nodeledger-log-throughput-'));
// PostgreSQL may run as another user, who needs access.
await chmod(work, 0o711);
const undo = [() => rm(work, { recursive: true, force: true })];
try {
  const day = 86_400_000;
  const startTime = new Date(Math.floor(Date.now() / day) * day - day);
  const corpus = {
    runs,
    ...(await writeCommands(fleetLib, { directory: join(work, 'c'), seed, nodes, runs, startTime })),
  };
  say(`${3 * nodes * runs} commands, ${(corpus.bytes.reduce((a, b) => a + b) / 1e6).toFixed(0)} MB`);

  if (loadBefore[0] > 2.5) say(`the load is ${loadBefore[0].toFixed(1)}: other work will show in the figures`);
  const postgres = await startPostgres(dist, join(work, 'p'));
  undo.push(() => postgres.stop());
  const kafka = flags.log === 'embedded' ? undefined : await startKafka(join(work, 'k'));
  if (kafka?.skipped) say(`Kafka is left out: ${kafka.skipped}`);
  else if (kafka) undo.push(() => kafka.stop());

  const patience = { ms: 1000 * Number(flags.patience) };
  const common = { dist, work, postgres, corpus, levels, part, patience, profile, threads, say };
  const options = { ...common, partitions: Number(flags.partitions), longestMs: 1000 * Number(flags.seconds) };
  const sides = [];
  if (flags.log !== 'kafka') sides.push(await measureSide(options));
  if (kafka?.brokers) sides.push(await measureSide({ ...options, kafka }));
  const figures = {
    machine: { processors: cpus().length, model: cpus()[0].model, node: process.version, loadBefore },
    fleet: { nodes, runs, bytes: corpus.bytes },
    appends: sides.flatMap(({ appends }) => appends),
    passes: sides.flatMap(({ passes }) => passes),
  };
  const isForPeople = process.stdout.isTTY && !flags.json;
  process.stdout.write(isForPeople ? tables(figures) : `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  for (const step of undo.reverse()) await step();
}
