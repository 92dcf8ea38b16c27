import { flag, inJson, integer, list, mapOf, object, oneOfTexts, type Operation, orNull, text, time } from '#openapi';

const number = { type: 'number' } as const;

export const operation: Operation = {
  id: 'getOperation',
  tag: 'console',
  summary: 'The state of the log and the tables, with advice for operators',
  description:
    '`lag` is the number of records that the live tables do not contain yet. `health` contains the active alerts. To compute a rate from two answers, divide the difference of `applied` (or `end`) by the difference of `at`. Only processes with the component write serve this path. The answer is at most one second old.',
  refusals: [503],
  answers: {
    200: inJson(
      'The state.',
      object({
        at: time,
        log: object({ id: text(), stored_in: text(), lag: integer, last_snapshot: orNull(time) }),
        partitions: list(
          object({
            partition: integer,
            history_from: integer,
            snapshot_from: orNull(integer),
            end: integer,
            applied: integer,
            lag: integer,
          }),
        ),
        generations: list(
          object({ generation: integer, state: text(), version: integer, created: text(), lag: orNull(integer) }),
        ),
        work: list(object({ kind: oneOfTexts(['rebuild']), generation: integer, done: integer, of: integer })),
        dead_letters: integer,
        state: text(),
        components: mapOf(flag),
        storage: orNull(
          object({
            log_bytes: orNull(number),
            log_bytes_per_day: orNull(number),
            table_bytes: number,
            other_bytes: number,
            wal_bytes: orNull(number),
            disk: orNull(
              object({
                free_bytes: number,
                total_bytes: number,
                reserve_bytes: number,
                seconds_until_full: orNull(number),
              }),
            ),
          }),
        ),
        health: list(
          object({
            check: text(),
            level: oneOfTexts(['warning', 'error']),
            says: text(),
            effect: orNull(text()),
            remedy: orNull(text()),
            since: time,
          }),
        ),
      }),
    ),
  },
  examples: { state: { summary: 'The state' } },
};

export const settings: Operation = {
  id: 'getSettings',
  tag: 'console',
  summary: 'The settings of this process, and the origin of each value',
  description:
    'The answer contains `***` instead of passwords. `from` is default, environment, a flag, or the name of the file. Only processes with the component write serve this path.',
  answers: {
    200: inJson(
      'The settings.',
      object({
        settings: list(object({ name: text(), value: text(), from: text(), meaning: text() })),
      }),
    ),
  },
  examples: { all: { summary: 'All settings' } },
};
