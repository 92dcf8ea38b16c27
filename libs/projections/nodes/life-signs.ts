import type { NodeRow } from '../node-state';
import { nodeColumns } from './node-columns';

/** Names of fields that contain the time of a node's newest document of some kind. */
type DocumentTime = Extract<keyof NodeRow, `${string}ProducerTimestamp` | 'expiresFactsUpdated'>;

/**
 * Describes how a kind of document affects whether its node is active. Documents of every kind keep the node from
 * expiring.
 */
interface LifeSign {
  /** True if a node with a newer document of this kind stays active in spite of a deactivation. */
  readonly outdatesDeactivation: boolean;
  /** Whether an import omits the restored state of a node that has a newer document of this kind. */
  readonly outdatesState: boolean;
  /**
   * Whether a snapshot of the log keeps the newest document of this kind. A node with such a document stays in the
   * snapshot.
   */
  readonly isKept: boolean;
}

const lifeSigns: Readonly<Record<DocumentTime, LifeSign>> = {
  catalogProducerTimestamp: { outdatesDeactivation: true, outdatesState: true, isKept: true },
  factsProducerTimestamp: { outdatesDeactivation: true, outdatesState: true, isKept: true },
  // `isKept` is false although a snapshot keeps all reports. This field ignores reports of plans, so the code that asks
  // for `isKept` fields also looks for reports of the node in the table of reports.
  reportProducerTimestamp: { outdatesDeactivation: true, outdatesState: true, isKept: false },
  inputsProducerTimestamp: { outdatesDeactivation: false, outdatesState: false, isKept: true },
  expiresFactsUpdated: { outdatesDeactivation: false, outdatesState: true, isKept: false },
};

/** Returns the fields of the kinds for which `says` returns true. Default: all kinds. */
export const documentTimes = (says: (sign: LifeSign) => boolean = () => true): DocumentTime[] =>
  (Object.keys(lifeSigns) as DocumentTime[]).filter((time) => says(lifeSigns[time]));

/** Returns the same fields as SQL columns of the node `n`. */
export const documentTimeColumns = (says?: (sign: LifeSign) => boolean): string[] =>
  documentTimes(says).map((time) => `n.${nodeColumns[time].name}`);
