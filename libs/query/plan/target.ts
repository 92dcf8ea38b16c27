import type { Limits } from '#limits';
import type { Language } from '../operators/language';

/** Where and how a query is answered; fixed by the service, not by the request. */
export interface CompileTarget {
  /** Trusted name of the generation's schema. */
  readonly schema: string;
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  /** The purge limit of nodes: those inactive for longer are neither active nor inactive. Absent: no limit. */
  readonly nodePurgeSeconds?: number;
  /** What queries may be written with; everything where absent. */
  readonly language?: Language;
  /** What a query may need at most; the defaults where absent. */
  readonly limits?: Limits;
}
