import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns this program's version from its package.json (next to the sources or above the built files). */
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
