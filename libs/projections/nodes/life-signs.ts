import type { NodeRow } from '../node-state';
import { nodeColumns } from './node-columns';

/** The fields with the time of a node's newest document of some kind. */
type DocumentTime = Extract<keyof NodeRow, `${string}ProducerTimestamp` | 'expiresFactsUpdated'>;

/** How a kind of document affects whether its node is active. Documents of all kinds keep the node from expiring. */
interface LifeSign {
  /** A deactivation that is older than the document is ignored. */
  readonly outdatesDeactivation: boolean;
  /** An import that finds such a document does not restore an earlier state of the node. */
  readonly outdatesState: boolean;
  /**
   * A snapshot of the log keeps the newest document of the kind. While the node has one, the snapshot contains the node.
   */
  readonly isKept: boolean;
}

const lifeSigns: Readonly<Record<DocumentTime, LifeSign>> = {
  catalogProducerTimestamp: { outdatesDeactivation: true, outdatesState: true, isKept: true },
  factsProducerTimestamp: { outdatesDeactivation: true, outdatesState: true, isKept: true },
  // A snapshot keeps all reports, including reports of plans, which are never the latest report of a node.
  reportProducerTimestamp: { outdatesDeactivation: true, outdatesState: true, isKept: false },
  inputsProducerTimestamp: { outdatesDeactivation: false, outdatesState: false, isKept: true },
  expiresFactsUpdated: { outdatesDeactivation: false, outdatesState: true, isKept: false },
};

/** Returns the times of the documents of these kinds; default: all kinds. */
export const documentTimes = (says: (sign: LifeSign) => boolean = () => true): DocumentTime[] =>
  (Object.keys(lifeSigns) as DocumentTime[]).filter((time) => says(lifeSigns[time]));

/** Returns SQL of the same times as columns of the node `n`. */
export const documentTimeColumns = (says?: (sign: LifeSign) => boolean): string[] =>
  documentTimes(says).map((time) => `n.${nodeColumns[time].name}`);
