import { shape } from '../check/shape';
import { readStatuses } from './read-statuses';
import type { EventField, StatusField, StatusShapes } from './status-shapes';
import { reportShape, sinceV7, sinceV8, type ReportVersion } from './v8';

/** Versions before 8 have no corrective change, so members of this name are ignored. */
export const statusShapesV7: StatusShapes = {
  status: shape<StatusField, StatusField>(
    ['skipped', 'timestamp', 'resource_type', 'resource_title', 'file', 'line', 'containment_path', 'events'],
    ['corrective_change'],
  ),
  event: shape<EventField, EventField>(
    ['status', 'timestamp', 'property', 'new_value', 'old_value', 'message'],
    ['name', 'corrective_change'],
  ),
  correctiveChange: false,
};

/** Members that version 8 added are read if they exist. Otherwise they are null. */
export const reportV7: ReportVersion = {
  version: 7,
  shape: reportShape(sinceV7, sinceV8),
  catalogUuid: (members) => members.uuidOrNull('catalog_uuid'),
  statuses: (members) => readStatuses(members, statusShapesV7),
};
