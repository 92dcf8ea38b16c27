import type { CommandObserver } from '#commands';
import type { Log } from '#observe';
import { commandLines } from './command-lines';
import type { ServiceMeters } from './metrics/service-meters';

export function watchCommands(log: Log, meters: ServiceMeters): CommandObserver {
  const writeLine = commandLines(log);
  return {
    started: (command, version) => meters.appending(command, version),
    ended: (record) => {
      const { command, version, bytes, ms, failure } = record;
      if (failure === undefined) meters.appended(command, version, bytes, ms);
      else meters.notAppended(command, version);
      writeLine(record);
    },
  };
}
