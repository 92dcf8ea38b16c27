export const timelineKinds = ['facts', 'packages', 'catalog', 'report', 'deactivated', 'expired', 'returned'] as const;

export type TimelineKind = (typeof timelineKinds)[number];

/** The primary key of a row in the table `timeline`. 64-bit numbers are decimal texts. */
export interface TimelineKey {
  readonly node: string;
  readonly offset: string;
  readonly kind: TimelineKind;
}

/** A document that changed something. The filters of streams and subscriptions compare the members of an entry. */
export interface TimelineEntry {
  /** `<uuid of the command>/<kind>`. For the kind `expired`: `<uuid>/<kind>/<certname>`. */
  readonly id: string;
  readonly certname: string;
  readonly kind: TimelineKind;
  readonly environment: string | null;
  /** Time when the service received the command: ISO 8601, UTC, with milliseconds. */
  readonly receivedAt: string;
  readonly position: { readonly partition: number; readonly offset: number };
  /** The whole entry as JSON text. Numbers keep the spelling of PostgreSQL. */
  readonly json: string;
}
