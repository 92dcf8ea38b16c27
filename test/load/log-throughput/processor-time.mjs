/**
 * Reads the processor time of process trees before and after a measurement. Nothing is sampled while the clock runs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) };
  } catch {
    return undefined; // it ended between the listing and the reading
  }
}

/** Milliseconds that a process and all its descendants have used, including descendants that have ended. */
function treeMs(root) {
  const table = new Map();
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? statOf(entry) : undefined;
    if (stat !== undefined) table.set(Number(entry), stat);
  }
  const isOurs = (pid) => {
    for (let at = pid; at > 1; at = table.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  let ticks = 0;
  for (const [pid, stat] of table) if (isOurs(pid)) ticks += stat.ticks;
  return (ticks * 1000) / ticksPerSecond;
}

/** Milliseconds that all processors of the machine were busy. */
function machineMs() {
  const [user, nice, system, , , irq, soft, steal] = /^cpu +(.*)$/m
    .exec(readFileSync('/proc/stat', 'utf8'))[1]
    .split(' ')
    .map(Number);
  return ((user + nice + system + irq + soft + steal) * 1000) / ticksPerSecond;
}

/**
 * Waits, at most for this time, until the whole machine has been almost idle for a second. Returns the milliseconds
 * waited.
 */
export async function untilQuiet(mostMs) {
  const began = performance.now();
  const waited = () => performance.now() - began;
  while (waited() < mostMs) {
    const before = machineMs();
    await sleep(1_000);
    if (machineMs() - before < 150) break;
  }
  return waited();
}

/** Measures this process and the trees under `roots`, an object of names and process ids. */
export class Meter {
  constructor(roots) {
    this.roots = Object.entries(roots).filter(([, pid]) => pid !== undefined);
  }

  begin() {
    this.from = this.read();
  }

  /**
   * Since `begin`: seconds, processor milliseconds of each tree, and how many processors other processes used on
   * average.
   */
  end() {
    const to = this.read();
    const since = (name) => to.used[name] - this.from.used[name];
    const used = Object.fromEntries(Object.keys(to.used).map((name) => [name, since(name)]));
    const ours = Object.values(used).reduce((sum, ms) => sum + ms, 0);
    const seconds = (to.at - this.from.at) / 1000;
    return { seconds, used, others: Math.max(0, to.machine - this.from.machine - ours) / (seconds * 1000) };
  }

  read() {
    const own = process.cpuUsage();
    return {
      used: {
        node: (own.user + own.system) / 1000,
        ...Object.fromEntries(this.roots.map(([name, pid]) => [name, treeMs(pid)])),
      },
      machine: machineMs(),
      at: performance.now(),
    };
  }
}
