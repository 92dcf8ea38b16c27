import type { CommandLog } from '../command-log';

export interface LogUnderTest {
  /**
   * Returns an open instance of the log. The case closes it. An implementation without several instances returns the
   * same instance again.
   */
  open(): Promise<CommandLog>;
}

export interface ContractCase {
  readonly title: string;
  /** Throws if the implementation breaks the contract. `make` returns an empty log with this number of partitions. */
  readonly check: (make: (partitions: number) => Promise<LogUnderTest>) => Promise<void>;
}
