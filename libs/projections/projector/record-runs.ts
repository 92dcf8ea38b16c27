import type { LogRecord } from '#log';
import { isMaintenanceCommand } from '#wire';

/**
 * Divides the records into runs of either maintenance records or other records. A batch must not contain both, because
 * maintenance changes the rows of earlier batches.
 */
export function* recordRuns(records: readonly LogRecord[]): Generator<LogRecord[]> {
  let run: LogRecord[] = [];
  let isMaintenance = false;
  for (const record of records) {
    const next = isMaintenanceCommand(record.command);
    if (run.length > 0 && next !== isMaintenance) {
      yield run;
      run = [];
    }
    run.push(record);
    isMaintenance = next;
  }
  if (run.length > 0) yield run;
}
