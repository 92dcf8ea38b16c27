import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The package.json of nodeledger is in a folder above this file, both in the sources and in the build. */
export function ownVersion(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    try {
      const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (found.name === 'nodeledger' && found.version !== undefined) return found.version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    if (dirname(folder) === folder) return '0.0.0';
  }
}
