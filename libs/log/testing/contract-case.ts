import type { CommandLog } from '../command-log';

export interface LogUnderTest {
  /**
   * Opens an instance of the log, which the test case closes. An implementation with only one instance returns this
   * instance at each call.
   */
  open(): Promise<CommandLog>;
}

export interface ContractCase {
  readonly title: string;
  /**
   * Runs the test case. Throws if the implementation breaks the contract. `make` returns an empty log with the given
   * number of partitions.
   */
  readonly check: (make: (partitions: number) => Promise<LogUnderTest>) => Promise<void>;
}
