import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system in memory. Only root on Linux can mount it. */
export class SmallDisk {
  private constructor(
    readonly path: string,
    readonly megabytes: number,
  ) {}

  /** Returns undefined if this machine cannot mount it. */
  static async mount(megabytes: number): Promise<SmallDisk | undefined> {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
    const path = await mkdtemp(join(tmpdir(), 'nodeledger-disk-'));
    await chmod(path, 0o755);
    const disk = new SmallDisk(path, megabytes);
    try {
      disk.mountAgain();
      return disk;
    } catch {
      await rm(path, { recursive: true, force: true });
      return undefined;
    }
  }

  /** Begins with an empty disk. */
  empty(): void {
    execFileSync('umount', ['-l', this.path]);
    this.mountAgain();
  }

  enlarge(megabytes: number): void {
    execFileSync('mount', ['-o', `remount,size=${megabytes}m`, this.path]);
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize;
  }

  async remove(): Promise<void> {
    execFileSync('umount', ['-l', this.path]);
    await rm(this.path, { recursive: true, force: true });
  }

  private mountAgain(): void {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${this.megabytes}m,mode=755`, 'tmpfs', this.path], {
      stdio: 'ignore',
    });
  }
}
