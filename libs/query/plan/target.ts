import type { Limits } from '#limits';
import type { Language } from '../operators/language';

/** Options of compilation that the service sets, not the request. */
export interface CompileTarget {
  /** Name of the generation's schema. Never from a request. */
  readonly schema: string;
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  /** Nodes that have been inactive for longer than this are neither active nor inactive. Absent: no limit. */
  readonly nodePurgeSeconds?: number;
  /** The query language; the full one if absent. */
  readonly language?: Language;
  /** Limits of queries; the defaults if absent. */
  readonly limits?: Limits;
  /** The statements read the tables as of a moment, which `placed` adds. */
  readonly isPast?: boolean;
}
