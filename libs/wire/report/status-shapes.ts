import type { Shape } from '../check/shape';

export type StatusField =
  | 'skipped'
  | 'timestamp'
  | 'resource_type'
  | 'resource_title'
  | 'file'
  | 'line'
  | 'containment_path'
  | 'corrective_change'
  | 'events';
export type EventField =
  'status' | 'timestamp' | 'property' | 'new_value' | 'old_value' | 'message' | 'name' | 'corrective_change';

/** What a version admits in `resources`. */
export interface StatusShapes {
  readonly status: Shape<StatusField>;
  readonly event: Shape<EventField>;
  /** False: the flag did not exist yet, and what is sent under its name does not count. */
  readonly correctiveChange: boolean;
}
