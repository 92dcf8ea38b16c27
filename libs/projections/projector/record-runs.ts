import type { LogRecord } from '#log';
import { isRemovalCommand } from '#wire';

/**
 * Cuts records into runs of documents and runs of removals. A batch writes its removals first, so both must not be in one
 * batch: a removal deletes what earlier batches wrote, and later batches write what comes after it.
 */
export function* recordRuns(records: readonly LogRecord[]): Generator<LogRecord[]> {
  let run: LogRecord[] = [];
  let removals = false;
  for (const record of records) {
    const isRemoval = isRemovalCommand(record.command);
    if (run.length > 0 && isRemoval !== removals) {
      yield run;
      run = [];
    }
    run.push(record);
    removals = isRemoval;
  }
  if (run.length > 0) yield run;
}
