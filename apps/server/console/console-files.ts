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
const mostSegments = 16;
/** `page` replaces the `href` of this element in the bundled page. */
const base = '<base href="./"';

export class ConsoleFiles {
  private readonly answers = new Map<string, Promise<CachedAnswer>>();
  private names: Promise<ReadonlySet<string>> | undefined;

  constructor(private readonly folder: string) {}

  /**
   * Returns undefined if the address has too many segments. The URLs in the page are relative to `/console/`, so that
   * the page also works behind a reverse proxy that adds a path prefix.
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
