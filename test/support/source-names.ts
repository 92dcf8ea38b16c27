/** Jest maps `#lib` names inside tests only; what runs around the tests is told here. Import it first. */
import Module from 'node:module';
import { join } from 'node:path';

type Resolve = (request: string, ...rest: unknown[]) => string;
const internals = Module as unknown as { _resolveFilename: Resolve };
const resolve = internals._resolveFilename;
const libs = join(__dirname, '..', '..', 'libs');

internals._resolveFilename = function (this: unknown, request: string, ...rest: unknown[]): string {
  const own = /^#([a-z-]+)$/.exec(request);
  return resolve.call(this, own === null ? request : join(libs, own[1] as string, 'index.ts'), ...rest);
};
