/**
 * Exports, cleans, backs up and imports a simulated fleet while a client submits commands and another one sends
 * queries. Measures the growth of the service's memory, and checks every answer of both clients.
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
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

export const phases = ['export', 'clean', 'backup', 'import'] as const;
export type Phase = (typeof phases)[number];

export interface PhaseFigures extends MemoryFigures, LoadCount {
  readonly phase: Phase;
  readonly seconds: number;
  /** The result of the phase, as text for the report. */
  readonly outcome: string;
}

export interface MeasureOptions {
  readonly nodes: number;
  /** The last phase that is measured. */
  readonly last: Phase;
  /** A folder that keeps the loaded fleet for further runs of the same day. */
  readonly keep?: string | undefined;
  /** How long the two clients run before each phase, so that their own memory is not counted. */
  readonly warmUpMs: number;
  readonly tell: (line: string) => void;
}

const run = promisify(execFile);
const settings = { ...reportLimit, NODELEDGER_GC_INTERVAL: '0', NODELEDGER_SNAPSHOT_INTERVAL: '0' };

export async function measureArchives(options: MeasureOptions): Promise<PhaseFigures[]> {
  const { nodes, last, keep, warmUpMs, tell } = options;
  const room = await temporaryDataDir();
  const fleet = new LoadedFleet(nodes);
  const archive = join(room, 'all.tgz');
  const measured: PhaseFigures[] = [];
  let service: RunningService | undefined;
  const stop = async (): Promise<void> => {
    await service?.stop();
    service = undefined;
  };
  const start = async (dataDir: string): Promise<RunningService> => {
    await stop();
    return (service = await startService({ dataDir: room, env: { ...settings, NODELEDGER_DATA_DIR: dataDir } }));
  };
  const load = async (dataDir: string): Promise<void> => {
    await fleet.load((await start(dataDir)).url);
    // The heap that remains after loading would hide the memory of an export.
    await stop();
  };
  const during = async (phase: Phase, { url, pid }: RunningService, work: () => Promise<string>): Promise<void> => {
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
    const dataDir = join(room, 'first');
    if (keep === undefined) await load(dataDir);
    else await copyKept(join(keep, fleet.name), dataDir, load);
    tell(`${nodes} nodes are loaded`);
    const first = await start(dataDir);
    const work: Record<Phase, () => Promise<void>> = {
      export: () => during('export', first, () => exportTo(archive, first.url)),
      clean: () => during('clean', first, () => clean(first.url)),
      backup: () => during('backup', first, () => backUp(join(room, 'backup'), room, dataDir)),
      import: async () => {
        const second = await start(join(room, 'second'));
        // The queries name an existing node.
        await fleet.load(second.url, 1);
        await during('import', second, () => importFrom(archive, second.url, fleet));
      },
    };
    for (const phase of phases.slice(0, phases.indexOf(last) + 1)) await work[phase]();
    return measured;
  } finally {
    await stop();
    await rm(room, { recursive: true, force: true });
  }
}

/** Copies a loaded data directory with its owners, or loads the fleet if there is none. */
async function copyKept(kept: string, dataDir: string, load: (dataDir: string) => Promise<void>): Promise<void> {
  if ((await stat(kept).catch(() => undefined)) === undefined) {
    const unfinished = `${kept}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    await load(unfinished);
    await rename(unfinished, kept);
  }
  await run('cp', ['-a', kept, dataDir]);
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

async function importFrom(file: string, url: string, fleet: LoadedFleet): Promise<string> {
  const source = createReadStream(file) as AsyncIterable<Buffer>;
  const imported = await sendArchive({ url }, source, new AbortController().signal);
  const answered = performance.now();
  await fleet.untilVisible(url);
  return `${imported}; visible ${((performance.now() - answered) / 1000).toFixed(1)} s after the answer`;
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

/** No time limit. */
async function backUp(folder: string, cwd: string, dataDir: string): Promise<string> {
  const env = { ...process.env, NODELEDGER_DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [builtProgram('cli'), 'backup', folder], { cwd, env });
  return `${(JSON.parse(stdout) as { records: number }).records} records`;
}
