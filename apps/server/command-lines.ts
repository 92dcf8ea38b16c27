import type { CommandRecord } from '#commands';
import { identityFields } from '#http';
import type { Log } from '#observe';

export function commandLines(log: Log): (record: CommandRecord) => void {
  return ({ identity, position, failure, ms, ...about }) => {
    if (!log.isLevelEnabled('debug')) return;
    const fields = {
      ...(identity === undefined ? {} : identityFields(identity)),
      ...about,
      ms: Math.round(ms * 10) / 10,
      position: position === undefined ? undefined : `${position.partition}-${position.offset}`,
      code: failure,
    };
    log.debug(fields, failure === undefined ? 'a command is in the log' : 'a command could not be appended to the log');
  };
}
