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

/** The shapes of `resources` in a version. */
export interface StatusShapes {
  readonly status: Shape<StatusField>;
  readonly event: Shape<EventField>;
  /** False if the version did not have the flag. A member of this name is then ignored. */
  readonly correctiveChange: boolean;
}
