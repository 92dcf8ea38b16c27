import { existsSync, readFileSync } from 'node:fs';
import type { ProjectionBench } from './projection';

/** Milliseconds of processor time. Other processes of the machine do not affect them. */
export interface ProcessorTime {
  readonly database: number;
  /** Of this process. */
  readonly service: number;
}

/** Starts to measure. The returned function returns the time since. Only connections that are open at the start count. */
export async function measureProcessor({ rows }: Pick<ProjectionBench, 'rows'>): Promise<() => ProcessorTime> {
  const backends = (
    await rows<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname = current_database()')
  ).map(({ pid }) => pid);
  const before = ofProcesses(backends);
  const own = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(own);
    return { database: ofProcesses(backends) - before, service: (user + system) / 1_000 };
  };
}

const ofProcesses = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + ofProcess(pid), 0);

/** Returns 0 if the process has ended. */
function ofProcess(pid: number): number {
  const file = `/proc/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : 0;
}
