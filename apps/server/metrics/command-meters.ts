import { Counter, Distribution, Rates, Timer } from '#metrics';

const day = 86_400;
const sizeBounds = [1e3, 1e4, 1e5, 2.5e5, 5e5, 1e6, 2.5e6, 5e6, 1e7, 2e7, 5e7];
const retryBounds = [0, 1, 2, 5, 10, 20, 50, 100];

const makers = {
  timer: () => new Timer(),
  meter: () => new Rates(),
  counter: () => new Counter(),
  size: () => new Distribution({ highest: 256e6, bounds: sizeBounds }),
  /** Measures whole seconds, as PuppetDB does. */
  seconds: () => new Distribution({ highest: 30 * day, bounds: [...Timer.bounds.map((ms) => ms / 1_000), 3_600, day] }),
  retries: () => new Distribution({ highest: 1e6, bounds: retryBounds }),
};

/** `bean` is the part of the MBean's name that identifies the meter. A meter without `name` is only an MBean. */
const row = <Make extends keyof typeof makers>(make: Make, bean: string, name: string | undefined, help: string) => ({
  make,
  bean,
  name,
  help,
});

/** Each meter exists once for each command and version, and once for all commands together. */
export const commandTable = {
  appendTime: row(
    'timer',
    'message-persistence-time',
    'command_append_duration_seconds',
    'Time until the record of an accepted command is durable.',
  ),
  appending: row('counter', 'concurrent-depth', undefined, 'Commands that wait to become durable.'),
  size: row('size', 'size', 'command_payload_bytes', 'Bytes of payloads as the service received them.'),
  seen: row('meter', 'seen', undefined, 'Commands that the projector has read from the log.'),
  processed: row('meter', 'processed', 'commands_projected', 'Commands that were applied to the tables.'),
  rejected: row('meter', 'fatal', 'commands_rejected', 'Commands that became dead letters.'),
  retried: row(
    'meter',
    'retried',
    'commands_retried',
    'Repeated attempts to apply commands after failures of the database.',
  ),
  retryCounts: row('retries', 'retry-counts', undefined, 'Number of repeated attempts before a command was applied.'),
  awaitingRetry: row(
    'counter',
    'awaiting-retry',
    undefined,
    'Commands in batches that wait until the database is available again.',
  ),
  ignored: row(
    'counter',
    'ignored',
    'commands_ignored',
    'Commands that changed nothing, because newer data were already stored.',
  ),
  superseded: row(
    'counter',
    'invalidated',
    'commands_superseded',
    'Commands that were skipped, because a newer command of the same node was in the same batch.',
  ),
  processingTime: row(
    'timer',
    'processing-time',
    'command_processing_duration_seconds',
    'Time from the start of a batch to its commit, divided by the number of its commands.',
  ),
  queueTime: row(
    'seconds',
    'queue-time',
    'command_queue_duration_seconds',
    'Time from the acceptance of a command to the start of its batch. The MBeans count whole seconds.',
  ),
};

type Table = typeof commandTable;
export type CommandMeterName = keyof Table;

export type CommandMeters = {
  readonly [Name in CommandMeterName]: ReturnType<(typeof makers)[Table[Name]['make']]>;
};

export const newCommandMeters = (): CommandMeters =>
  Object.fromEntries(Object.entries(commandTable).map(([name, { make }]) => [name, makers[make]()])) as CommandMeters;
