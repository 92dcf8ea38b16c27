/** Serves the files of the console, which the build bundles to `dist/apps/console`. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { CachedAnswer } from '#http';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html;charset=utf-8',
  '.js': 'text/javascript;charset=utf-8',
  '.css': 'text/css;charset=utf-8',
  '.txt': 'text/plain;charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Largest number of segments in the path of a page of the console. */
const mostSegments = 16;
/** The element in the bundled page that sets the base of relative URLs. `page` replaces the element's `href`. */
const base = '<base href="./"';

/** Reads each file at the first request for it, and keeps the content in memory. */
export class ConsoleFiles {
  private readonly answers = new Map<string, Promise<CachedAnswer>>();
  private names: Promise<ReadonlySet<string>> | undefined;

  constructor(private readonly folder: string) {}

  /**
   * Returns the page for an address such as `/console/nodes/web1`, or undefined if the address has too many segments.
   * The URLs in the page are relative to `/console/`, so that the page also works behind a reverse proxy that adds a
   * path prefix.
   */
  page(path: string): Promise<CachedAnswer> | undefined {
    const segments = path.split('/').length - 2;
    if (segments > mostSegments) return undefined;
    const root = segments === 0 ? 'console/' : '../'.repeat(segments - 1) || './';
    return this.once(`page ${root}`, async () => {
      const text = await readFile(join(this.folder, 'index.html'), 'utf8');
      if (!text.includes(base)) throw new Error(`the page of the console has no ${base}`);
      return CachedAnswer.of(types['.html']!, Buffer.from(text.replace(base, `<base href="${root}"`)));
    });
  }

  /** Returns the content of a file in the folder `assets`, or undefined if the folder has no such file. */
  async asset(name: string): Promise<CachedAnswer | undefined> {
    const assets = join(this.folder, 'assets');
    this.names ??= readdir(assets).then((names) => new Set(names));
    this.names.catch(() => (this.names = undefined));
    const type = types[extname(name)];
    if (type === undefined || !(await this.names).has(name)) return undefined;
    return this.once(name, async () => CachedAnswer.of(type, await readFile(join(assets, name))));
  }

  private once(name: string, make: () => Promise<CachedAnswer>): Promise<CachedAnswer> {
    let answer = this.answers.get(name);
    if (answer === undefined) {
      answer = make();
      this.answers.set(name, answer);
      // If reading fails, a later request reads the file again.
      answer.catch(() => this.answers.delete(name));
    }
    return answer;
  }
}
