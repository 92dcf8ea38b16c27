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

export interface StatusShapes {
  readonly status: Shape<StatusField>;
  readonly event: Shape<EventField>;
  /** False if the version has no corrective change. Members named `corrective_change` are then ignored. */
  readonly correctiveChange: boolean;
}
