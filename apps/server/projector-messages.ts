import type { ErrorFields } from '#observe';
import type { LogPlace } from './log-place';

/** What the projector's thread is started with. */
export interface ProjectorTask {
  readonly connectionString: string;
  readonly log: LogPlace;
  /** Identity of the log as this process found it. */
  readonly logId: string;
  /** As of ProjectorOptions. */
  readonly maxCommandBytes: number;
  /** As of Settings. */
  readonly factsBlocklist: readonly string[];
}

/** What it tells. */
export type ProjectorMessage =
  | { readonly kind: 'running'; readonly generation: number }
  | {
      readonly kind: 'dead-letter';
      readonly uuid: string;
      readonly command: string;
      readonly certname: string;
      readonly error: ErrorFields;
    }
  | { readonly kind: 'retry'; readonly waitMs: number; readonly error: ErrorFields }
  | { readonly kind: 'failed'; readonly error: ErrorFields };

/** The one thing that it is told. */
export const stopMessage = 'stop';
