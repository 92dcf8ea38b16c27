import { Counter, Distribution, Rates, Timer } from '#metrics';

const day = 86_400;
const sizeBounds = [1e3, 1e4, 1e5, 2.5e5, 5e5, 1e6, 2.5e6, 5e6, 1e7, 2e7, 5e7];
const retryBounds = [0, 1, 2, 5, 10, 20, 50, 100];

const makers = {
  timer: () => new Timer(),
  meter: () => new Rates(),
  counter: () => new Counter(),
  size: () => new Distribution({ highest: 256e6, bounds: sizeBounds }),
  /** Measures whole seconds, because PuppetDB does so. */
  seconds: () => new Distribution({ highest: 30 * day, bounds: [...Timer.bounds.map((ms) => ms / 1_000), 3_600, day] }),
  retries: () => new Distribution({ highest: 1e6, bounds: retryBounds }),
};

/**
 * Describes one meter of a command. `bean` is the part of the MBean's name that identifies the meter. A meter without
 * `name` is not in OpenMetrics.
 */
const row = <Make extends keyof typeof makers>(make: Make, bean: string, name: string | undefined, help: string) => ({
  make,
  bean,
  name,
  help,
});

/** The meters of commands. Each meter exists once for each command and version, and once for all commands together. */
export const commandTable = {
  // The service records these meters when it accepts commands.
  appendTime: row(
    'timer',
    'message-persistence-time',
    'command_append_duration_seconds',
    'Time until the record of an accepted command is durable.',
  ),
  appending: row('counter', 'concurrent-depth', undefined, 'Commands that wait to become durable.'),
  size: row('size', 'size', 'command_payload_bytes', 'Bytes of payloads as they came.'),
  // The service records these meters when its projectors apply commands.
  seen: row('meter', 'seen', undefined, 'Commands taken from the log.'),
  processed: row('meter', 'processed', 'commands_projected', 'Commands that were applied to the tables.'),
  rejected: row('meter', 'fatal', 'commands_rejected', 'Commands that became dead letters.'),
  retried: row(
    'meter',
    'retried',
    'commands_retried',
    'Commands that were tried again because the database failed, once for each time.',
  ),
  retryCounts: row('retries', 'retry-counts', undefined, 'How often an applied command had been tried again.'),
  awaitingRetry: row('counter', 'awaiting-retry', undefined, 'Commands of the batch that waits for the database.'),
  ignored: row(
    'counter',
    'ignored',
    'commands_ignored',
    'Commands that changed nothing, because something newer was stored.',
  ),
  superseded: row(
    'counter',
    'invalidated',
    'commands_superseded',
    'Commands that a newer command of the same batch replaced.',
  ),
  processingTime: row(
    'timer',
    'processing-time',
    'command_processing_duration_seconds',
    'Time of a batch from its start to its commit, divided by its commands.',
  ),
  queueTime: row(
    'seconds',
    'queue-time',
    'command_queue_duration_seconds',
    'Time between the acceptance of a command and the start of its batch (MBeans: whole seconds).',
  ),
};

type Table = typeof commandTable;
export type CommandMeterName = keyof Table;

export type CommandMeters = {
  readonly [Name in CommandMeterName]: ReturnType<(typeof makers)[Table[Name]['make']]>;
};

export const newCommandMeters = (): CommandMeters =>
  Object.fromEntries(Object.entries(commandTable).map(([name, { make }]) => [name, makers[make]()])) as CommandMeters;
