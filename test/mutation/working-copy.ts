import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const copied = ['libs', 'migrations', 'test', 'package.json', 'jest.config.cjs', 'tsconfig.json'];

/** A copy of the repository in a temporary folder, where sources are changed. The repository itself never changes. */
export class WorkingCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'nodeledger-mutation-'));

  constructor() {
    for (const name of copied) cpSync(join(root, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
