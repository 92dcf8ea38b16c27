import type { LogRecord } from '#log';
import { isPartitionCommand, isRemovalCommand } from '#wire';

const kindOf = (command: string): 'document' | 'removal' | 'of a partition' =>
  isPartitionCommand(command) ? 'of a partition' : isRemovalCommand(command) ? 'removal' : 'document';

/**
 * Cuts records into runs of documents, runs of removals and runs of records about partitions. A batch writes its removals first, so
 * they must not be in one batch with documents: a removal deletes what earlier batches wrote, and later batches write what comes
 * after it. Records about partitions change the rows as they stand.
 */
export function* recordRuns(records: readonly LogRecord[]): Generator<LogRecord[]> {
  let run: LogRecord[] = [];
  let kind = kindOf('');
  for (const record of records) {
    const next = kindOf(record.command);
    if (run.length > 0 && next !== kind) {
      yield run;
      run = [];
    }
    run.push(record);
    kind = next;
  }
  if (run.length > 0) yield run;
}
