import type { FleetNode } from './node';
import { Random } from './random';

/** Sizes are in bytes if the name contains no other unit. */
export interface MachineState {
  readonly uptimeSeconds: number;
  readonly memoryUsed: number;
  readonly swapUsed: number;
  readonly load: readonly [number, number, number];
  readonly mounts: readonly MountState[];
  readonly processes: number;
  readonly pendingUpdates: number;
}

export interface MountState {
  readonly path: string;
  readonly device: string;
  readonly filesystem: string;
  readonly size: number;
  readonly used: number;
  readonly options: readonly string[];
}

const GIB = 1024 ** 3;

/** Seconds. */
const BOOT_EVERY = 9_000_000;

export function machineState(seed: string, node: FleetNode, run: number, startedAt: number): MachineState {
  const fixed = Random.of(seed, 'mounts', node.index);
  const random = Random.of(seed, 'state', node.index, run);
  const memory = node.hardware.memoryMiB * 1024 * 1024;
  const load = random.fraction() * node.hardware.cores;
  const data = Array.from({ length: 2 + (node.hardware.disks > 2 ? 1 : 0) }, (_, i) => ({
    path: ['/var', '/srv/data', '/srv/archive'][i] as string,
    device: `/dev/mapper/vg0-${['var', 'data', 'archive'][i]}`,
    filesystem: fixed.pick(['ext4', 'xfs']),
    size: fixed.between(20, 900) * GIB,
    options: ['rw', 'noatime', 'nodev'],
  }));
  const disks = [
    {
      path: '/',
      device: '/dev/mapper/vg0-root',
      filesystem: 'ext4',
      size: 30 * GIB,
      options: ['rw', 'relatime', 'errors=remount-ro'],
    },
    { path: '/boot', device: '/dev/sda1', filesystem: 'ext4', size: GIB, options: ['rw', 'relatime'] },
    ...data,
  ];
  return {
    uptimeSeconds: (Math.floor(startedAt / 1000) + node.bootPhase) % BOOT_EVERY,
    memoryUsed: Math.floor(memory * (0.3 + random.fraction() * 0.5)),
    swapUsed: random.between(0, 40) * 1024 * 1024,
    load: [load, load * (0.7 + random.fraction() * 0.4), load * (0.6 + random.fraction() * 0.4)],
    mounts: [
      ...disks.map((disk, i) => ({ ...disk, used: usedBytes(disk.size, fixed, i === 1 ? fixed : random) })),
      {
        path: '/run',
        device: 'tmpfs',
        filesystem: 'tmpfs',
        size: Math.floor(memory / 10),
        used: 1_200_128,
        options: ['rw', 'nosuid', 'nodev'],
      },
      {
        path: '/dev/shm',
        device: 'tmpfs',
        filesystem: 'tmpfs',
        size: Math.floor(memory / 2),
        used: 0,
        options: ['rw', 'nosuid', 'nodev'],
      },
    ],
    processes: random.between(110, 460),
    pendingUpdates: Random.of(seed, 'updates', node.index, Math.floor(run / 24)).between(0, 60),
  };
}

/** `level` determines a constant share, and `movement` determines small changes between runs. */
function usedBytes(size: number, level: Random, movement: Random): number {
  const blocks = Math.floor(size / 4096);
  return 4096 * Math.floor(blocks * (0.1 + level.fraction() * 0.6 + movement.fraction() * 0.02));
}

/** Formats a number of bytes as facts do, such as `7.78 GiB`. */
export function humanBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return unit === 0 ? `${bytes} bytes` : `${value.toFixed(2)} ${units[unit]}`;
}

/** Formats a share as facts do, such as `41.27%`. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '0%' : `${((100 * part) / whole).toFixed(2)}%`;
}
