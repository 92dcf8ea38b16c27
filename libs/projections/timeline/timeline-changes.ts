import { arrayLiteral, type Session } from '#database';
import type { LogRecord } from '#log';
import type { IsoTime } from '#wire';
import type { BatchPart } from '../batch-part';
import type { StepWatch } from '../batch-steps';
import { RowSet } from '../row-set';
import type { PastStarts } from '../history/kept-past';
import { isInPast } from '../history/kept-past';
import type { VolatileFacts } from './volatile-facts';

/** Largest number of keys of facts, resources or packages that one row of the table `timeline` contains. */
export const mostNamed = 100;

export type ChangeKind = 'facts' | 'packages' | 'catalog' | 'report' | 'deactivated' | 'expired' | 'returned';

/** `environment` and `producer` are keys of shared rows, and not names. */
export interface Origin {
  readonly record: LogRecord;
  readonly producerTimestamp: IsoTime | null;
  readonly environment: string | null;
  readonly producer: string | null;
}

/**
 * The numbers of facts, packages or resources that a document adds, changes and removes, and the keys of the first
 * `mostNamed` of them.
 */
export interface Counts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly factKeys?: readonly string[];
  readonly contentKeys?: readonly string[];
  readonly packageKeys?: readonly string[];
}

export type CountedNode = Pick<Counts, 'added' | 'changed' | 'removed'> & {
  readonly node: string;
  readonly keys: string[];
};

/**
 * Returns the end of a statement that selects a `CountedNode` for each node. The statement must already define a CTE
 * `named`, with a row for each package or resource of a node. This row contains how many versions came (`came`) and
 * went (`went`), and the keys of these versions (`keys`).
 */
export const countNamed = (order: string): string =>
  `numbered AS (SELECT *, row_number() OVER (PARTITION BY node ORDER BY ${order}) AS number FROM named)
   SELECT n.node::text AS node, sum(greatest(came - went, 0))::int AS added, sum(least(came, went))::int AS changed,
     sum(greatest(went - came, 0))::int AS removed,
     (SELECT coalesce(array_agg(k::text ORDER BY f.number, k), '{}')
      FROM numbered f, unnest(f.keys) AS k WHERE f.node = n.node AND f.number <= ${mostNamed}) AS keys
   FROM numbered n GROUP BY n.node`;

export const noCounts: Counts = { added: 0, changed: 0, removed: 0 };

export class TimelineChanges implements BatchPart {
  private readonly rows = new RowSet('timeline');

  constructor(
    private readonly starts: PastStarts,
    readonly volatileFacts: VolatileFacts,
  ) {}

  /** Does nothing if the record is older than the history that the tables keep. */
  add(
    node: string,
    kind: ChangeKind,
    { record, producerTimestamp, environment, producer }: Origin,
    { added, changed, removed, factKeys, contentKeys, packageKeys }: Counts = noCounts,
    status: string | null = null,
  ): void {
    if (!isInPast(this.starts, record)) return;
    const { partition, offset, uuid, receivedAt } = record;
    const received = new Date(receivedAt).toISOString();
    const keys = [factKeys, contentKeys, packageKeys].map((some) =>
      some === undefined || some.length === 0 ? null : arrayLiteral(some),
    );
    this.rows.push(
      ...[node, partition, offset, kind, uuid, received, producerTimestamp, environment, producer, status],
      ...[added, changed, removed, ...keys],
    );
  }

  async writeRows(session: Session, schema: string, onStep: StepWatch): Promise<void> {
    if (this.rows.size === 0) return;
    await this.rows.insert(session, schema, '', `timeline-${schema}`);
    onStep('write_timeline');
  }
}
