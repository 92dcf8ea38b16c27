import type { Limits } from '#limits';
import type { Language } from '../operators/language';

/** Options of the query compiler. They follow from the settings of the service. */
export interface CompileTarget {
  /** Name of the generation's schema. It becomes SQL text, so it must never come from a request. */
  readonly schema: string;
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  /** Number of seconds after which an inactive node is neither active nor inactive. Absent if there is no limit. */
  readonly nodePurgeSeconds?: number;
  /** The query language. If absent, the full language is used. */
  readonly language?: Language;
  /** Limits on queries. If absent, the default limits apply. */
  readonly limits?: Limits;
  /** True if the statements read the tables at a moment in the past. `placed` adds the moment later. */
  readonly isPast?: boolean;
}
