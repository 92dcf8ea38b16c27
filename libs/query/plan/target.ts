import type { Limits } from '#limits';
import type { Language } from '../operators/language';

export interface CompileTarget {
  /** Name of the generation's schema. The name becomes SQL text, so it must never come from a request. */
  readonly schema: string;
  readonly edition: 'full' | 'open';
  readonly dialect: 'neutral' | 'puppetdb';
  /** After this time, an inactive node counts neither as active nor as inactive. Absent if there is no limit. */
  readonly nodePurgeSeconds?: number | undefined;
  readonly language?: Language;
  readonly limits?: Limits;
  /** True if the statements read the tables at a moment in the past. `placed` adds the moment later. */
  readonly isPast?: boolean;
}
