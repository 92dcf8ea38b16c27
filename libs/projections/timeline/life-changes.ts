import type { LogRecord } from '#log';
import type { IsoTime } from '#wire';
import type { NameKeys } from '../batch-part';
import type { NodeRow } from '../node-state';
import type { ChangeKind, Origin } from './timeline-changes';

type Life = Pick<NodeRow, 'deactivated' | 'expired'>;

export function lifeChanges(before: Life, after: Life): ChangeKind[] {
  const changes: ChangeKind[] = [];
  const wasActive = before.deactivated === null && before.expired === null;
  if (before.deactivated === null && after.deactivated !== null) changes.push('deactivated');
  if (before.expired === null && after.expired !== null) changes.push('expired');
  if (!wasActive && after.deactivated === null && after.expired === null) changes.push('returned');
  return changes;
}

interface OriginOfDocument {
  readonly kind: string;
  readonly producerTimestamp?: IsoTime | null;
  readonly environment?: string | null;
  readonly producer?: string | null;
}

export const originOf = (
  { producerTimestamp = null, environment = null, producer = null }: OriginOfDocument,
  record: LogRecord,
  names: NameKeys,
): Origin => ({
  record,
  producerTimestamp,
  environment: names.environment(environment),
  producer: names.producer(producer),
});
