import type { EmptyServices } from './empty-services';
import type { PuppetDbServer } from './puppetdb-server';

/** All tests share one PuppetDB, because it takes half a minute to start. */
export interface Pair {
  readonly puppetDb: PuppetDbServer;
  readonly services: EmptyServices;
  /** A folder for files. */
  readonly room: string;
}
