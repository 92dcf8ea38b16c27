import type { EmptyServices } from './empty-services';
import type { PuppetDbServer } from './puppetdb-server';

/** One start of PuppetDB serves all tests: it takes half a minute. */
export interface Pair {
  readonly puppetDb: PuppetDbServer;
  readonly services: EmptyServices;
  /** A folder for files. */
  readonly room: string;
}
