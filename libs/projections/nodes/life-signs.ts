import type { NodeRow } from '../node-state';
import { nodeColumn } from './node-columns';

type DocumentTime = Extract<keyof NodeRow, `${string}ProducerTimestamp` | 'expiresFactsUpdated'>;

interface LifeSign {
  /** Whether a deactivation has no effect on a node that has a newer document of this kind. */
  readonly outdatesDeactivation: boolean;
  /** Whether an import omits a `restore node` command if the node has a newer document of this kind. */
  readonly outdatesState: boolean;
  /** Whether a snapshot of the log keeps the newest document of this kind, and with it the node. */
  readonly isKept: boolean;
}

const lifeSigns: Readonly<Record<DocumentTime, LifeSign>> = {
  catalogProducerTimestamp: { outdatesDeactivation: true, outdatesState: true, isKept: true },
  factsProducerTimestamp: { outdatesDeactivation: true, outdatesState: true, isKept: true },
  // A snapshot keeps all reports, but this field ignores reports of plans. So code that uses `isKept` also searches the
  // table of reports.
  reportProducerTimestamp: { outdatesDeactivation: true, outdatesState: true, isKept: false },
  inputsProducerTimestamp: { outdatesDeactivation: false, outdatesState: false, isKept: true },
  expiresFactsUpdated: { outdatesDeactivation: false, outdatesState: true, isKept: false },
};

export const documentTimes = (matches: (sign: LifeSign) => boolean = () => true): DocumentTime[] =>
  (Object.keys(lifeSigns) as DocumentTime[]).filter((time) => matches(lifeSigns[time]));

export const documentTimeColumns = (matches?: (sign: LifeSign) => boolean): string[] =>
  documentTimes(matches).map((time) => `n.${nodeColumn(time)}`);
