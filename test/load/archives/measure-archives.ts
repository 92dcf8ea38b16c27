/**
 * Exports, cleans, backs up and imports a simulated fleet while a client submits commands and another one asks queries.
 * Measures how the memory of the service grows, and judges every answer that the two clients get.
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sendArchive } from '../../../apps/cli/import/send-archive';
import { Load, type LoadCount } from '../../chaos/load';
import { type RunningService, startService, temporaryDataDir } from '../../e2e/service';
import { builtProgram } from '../../support/built';
import { LoadedFleet, reportLimit } from './loaded-fleet';
import { type MemoryFigures, ResidentMemory } from './resident-memory';

export interface PhaseFigures extends MemoryFigures, LoadCount {
  readonly phase: 'export' | 'clean' | 'backup' | 'import';
  readonly seconds: number;
  /** What was done, for people. */
  readonly outcome: string;
}

export interface MeasureOptions {
  readonly nodes: number;
  /** How long the two clients work before each phase, so that the memory that they take themselves is not counted. */
  readonly warmUpMs: number;
  readonly tell: (line: string) => void;
}

const run = promisify(execFile);
const settings = { ...reportLimit, NODELEDGER_GC_INTERVAL: '0', NODELEDGER_SNAPSHOT_INTERVAL: '0' };

export async function measureArchives({ nodes, warmUpMs, tell }: MeasureOptions): Promise<PhaseFigures[]> {
  const room = await temporaryDataDir();
  const fleet = new LoadedFleet(nodes);
  const archive = join(room, 'all.tgz');
  const measured: PhaseFigures[] = [];
  let service: RunningService | undefined;
  const start = async (name: string): Promise<RunningService> => {
    await service?.stop();
    service = await startService({ dataDir: room, env: { ...settings, NODELEDGER_DATA_DIR: join(room, name) } });
    return service;
  };
  const during = async (
    phase: PhaseFigures['phase'],
    { url, pid }: RunningService,
    work: () => Promise<string>,
  ): Promise<void> => {
    const clients = { url, next: fleet.next, queries: queriesOf(fleet), submitters: 1, askers: 1 };
    const memory = new ResidentMemory(pid);
    try {
      const warmUp = new Load(clients);
      await delay(warmUpMs);
      throwFailed(await warmUp.stop());
      memory.begin();
      const load = new Load(clients);
      const began = performance.now();
      const outcome = await work().finally(async () => void (await load.stop()));
      const seconds = (performance.now() - began) / 1000;
      const figures = { phase, seconds, outcome, ...memory.end(), ...(await load.stop()) };
      tell(figuresText(figures));
      measured.push(figures);
    } finally {
      memory.stop();
    }
  };

  try {
    const loading = await start('first');
    await fleet.load(loading.url);
    tell(`${nodes} nodes are loaded`);
    // The heap that loading has left would hide what an export takes.
    const first = await start('first');
    await during('export', first, () => exportTo(archive, first.url));
    await during('clean', first, () => clean(first.url));
    await during('backup', first, () => backUp(join(room, 'backup'), room, join(room, 'first')));
    const second = await start('second');
    await during('import', second, async () => {
      const source = createReadStream(archive) as AsyncIterable<Buffer>;
      const { imported } = await sendArchive({ url: second.url }, source, new AbortController().signal);
      const answered = performance.now();
      await fleet.untilVisible(second.url);
      return `${imported}; visible ${((performance.now() - answered) / 1000).toFixed(1)} s after the answer`;
    });
    return measured;
  } finally {
    await service?.stop();
    await rm(room, { recursive: true, force: true });
  }
}

const queriesOf = ({ certname }: LoadedFleet): string[] => [
  'nodes?limit=100',
  `facts?query=["=","name","os"]&limit=100`,
  `nodes/${certname}/facts`,
  `resources?query=["=","certname","${certname}"]`,
  'reports?limit=20&order_by=[{"field":"receive_time","order":"desc"}]',
  `events?query=["=","latest_report?",true]&limit=100`,
];

function throwFailed({ failedCommands, failedQueries }: LoadCount): void {
  const [first] = [...failedCommands, ...failedQueries];
  if (first !== undefined) throw new Error(first);
}

export function figuresText(figures: PhaseFigures): string {
  const { phase, seconds, outcome, before, peak, commands, queries, slowestCommandMs, slowestQueryMs } = figures;
  const failed = figures.failedCommands.length + figures.failedQueries.length;
  const round = (value: number): number => Math.round(value);
  return (
    `${phase}: ${seconds.toFixed(1)} s (${outcome}); memory ${round(before)} MB, at most ${round(peak - before)} MB more; ` +
    `${commands} commands (slowest ${round(slowestCommandMs)} ms), ${queries} queries (slowest ${round(slowestQueryMs)} ms), ${failed} failed`
  );
}

async function exportTo(file: string, url: string): Promise<string> {
  const answer = await fetch(`${url}/pdb/admin/v1/archive`);
  if (answer.status !== 200) throw new Error(`the export was answered ${answer.status}: ${await answer.text()}`);
  await pipeline(Readable.fromWeb(answer.body!), createWriteStream(file));
  return `${((await stat(file)).size / 1e6).toFixed(1)} MB`;
}

async function clean(url: string): Promise<string> {
  const count = async (): Promise<number> => {
    const answer = await fetch(`${url}/pdb/query/v4/reports?query=["extract",[["function","count"]]]`);
    return ((await answer.json()) as { count: number }[])[0]!.count;
  };
  const before = await count();
  const answer = await fetch(`${url}/pdb/admin/v1/cmd`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'clean', version: 1, payload: [] }),
  });
  if (answer.status !== 200) throw new Error(`the cleaning was answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  return `${before} reports, then ${await count()}`;
}

/** However long it takes. */
async function backUp(folder: string, cwd: string, dataDir: string): Promise<string> {
  const env = { ...process.env, NODELEDGER_DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [builtProgram('cli'), 'backup', folder], { cwd, env });
  return `${(JSON.parse(stdout) as { records: number }).records} records`;
}
