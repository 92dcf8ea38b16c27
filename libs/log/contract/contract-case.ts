import type { CommandLog } from '../command-log';

/** One empty log. */
export interface LogUnderTest {
  /** A further instance on the same log, open; the case closes it. A body that has but one gives the same again. */
  open(): Promise<CommandLog>;
}

export interface ContractCase {
  readonly title: string;
  /** Throws where the body breaks the contract. `make` gives an empty log with that many partitions. */
  readonly check: (make: (partitions: number) => Promise<LogUnderTest>) => Promise<void>;
}
