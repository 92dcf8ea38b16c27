import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const PAGE_BYTES = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));
const SAMPLE_MS = 200;

/** Returns every process of the machine: parent, name, ticks of processor time, resident bytes. */
function processTable() {
  const table = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    let stat;
    try {
      stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
    } catch {
      continue; // it ended between the listing and the reading
    }
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    table.set(Number(entry), {
      pid: Number(entry),
      name,
      parent: fields[1],
      ticks: fields[11] + fields[12],
      started: fields[19],
      resident: fields[21] * PAGE_BYTES,
    });
  }
  return table;
}

function treeOf(table, roots) {
  const children = new Map();
  for (const one of table.values()) children.set(one.parent, [...(children.get(one.parent) ?? []), one.pid]);
  const found = new Set();
  const add = (pid) => {
    if (found.has(pid) || !table.has(pid)) return;
    found.add(pid);
    for (const child of children.get(pid) ?? []) add(child);
  };
  roots.forEach(add);
  return [...found].map((pid) => table.get(pid));
}

function titleOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** The processes of a cluster that serve all of its databases. */
const SHARED =
  /: (checkpointer|background writer|walwriter|autovacuum launcher|logical replication launcher|io worker)/;

/** Returns the private bytes of this process, plus its share of shared memory. */
function proportionalBytes(pid) {
  try {
    return 1024 * Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/**
 * Watches the processes of one side: the trees under `roots` (PostgreSQL processes in them count as PostgreSQL), and, with
 * `database`, those of any PostgreSQL that serve that database together with the cluster's shared ones. Processes that end
 * between two samples count up to the last sample.
 */
export class ProcessWatch {
  constructor({ roots, database }) {
    this.roots = roots;
    this.database = database;
    this.seen = new Map();
    this.sample();
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
    this.timer.unref();
  }

  /**
   * Starts a new measurement. To sum up the memory of PostgreSQL takes up to 0.1 s each time, because its processes share
   * gigabytes: this program does nothing else meanwhile, so `postgresMemory: false` leaves it out where latencies are measured.
   */
  begin({ postgresMemory = true } = {}) {
    this.postgresMemory = postgresMemory;
    this.sample();
    this.base = this.totals();
    this.peak = { service: 0, postgres: 0 };
    this.samples = 0;
    this.sample();
  }

  /**
   * Returns the use since `begin`: milliseconds of processor time, and the peak memory in bytes; nothing if no process
   * is known.
   */
  end() {
    if (this.roots.length === 0) return {};
    this.sample();
    const now = this.totals();
    const milliseconds = (kind) => ((now[kind] - this.base[kind]) * 1000) / TICKS_PER_SECOND;
    return {
      serviceMs: milliseconds('service'),
      postgresMs: milliseconds('postgres'),
      serviceBytes: this.peak.service,
      postgresBytes: this.peak.postgres,
    };
  }

  stop() {
    clearInterval(this.timer);
  }

  totals() {
    const totals = { service: 0, postgres: 0 };
    for (const one of this.seen.values()) totals[one.kind] += one.ticks;
    return totals;
  }

  sample() {
    const table = processTable();
    const members = treeOf(table, this.roots).map((one) => ({
      ...one,
      kind: one.name === 'postgres' ? 'postgres' : 'service',
    }));
    if (this.database !== undefined) {
      for (const one of table.values()) {
        if (one.name !== 'postgres' || members.some((member) => member.pid === one.pid)) continue;
        const title = titleOf(one.pid);
        if (SHARED.test(title) || title.includes(` ${this.database} `) || title.endsWith(` ${this.database}`))
          members.push({ ...one, kind: 'postgres' });
      }
    }
    for (const one of members) this.seen.set(`${one.pid} ${one.started}`, { kind: one.kind, ticks: one.ticks });
    const sum = (kind, bytes) =>
      members.filter((one) => one.kind === kind).reduce((total, one) => total + bytes(one), 0);
    if (this.peak === undefined) return;
    this.peak.service = Math.max(
      this.peak.service,
      sum('service', (one) => one.resident),
    );
    this.samples++;
    if (this.postgresMemory && this.samples % 10 === 1)
      this.peak.postgres = Math.max(
        this.peak.postgres,
        sum('postgres', (one) => proportionalBytes(one.pid)),
      );
  }
}
