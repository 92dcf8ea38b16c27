import { breaksConnection } from '#database';
import { excerpt, Fault, isFault } from '#fault';
import type { LogTrouble } from '#log';
import { type Alert, type Alerts, type AlertText, Outage, type OutageCode } from '#observe';
import { DatabaseProbe } from './database-probe';
import type { Components } from './components';

export interface OutagesOptions {
  readonly alerts: Alerts;
  readonly connectionString: string;
  readonly components: Components;
  readonly kafka?: KafkaLog;
}

interface KafkaLog {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly partitions: number;
  /** Rejects if the log cannot be used. Must settle in bounded time. */
  readonly probe: () => Promise<unknown>;
}

/**
 * An outage can end only after this time without a reported error. A successful probe is not enough, because only some
 * requests fail while the disk is full or appends are refused.
 */
const quietMs = 15_000;

/**
 * Every part of the service passes errors of PostgreSQL or Kafka to `report`. Only this class raises the alert for an
 * outage and creates the fault that clients get.
 */
export class Outages {
  private readonly probe: DatabaseProbe;
  private readonly database: Outage;
  private readonly readOnly: Outage;
  private readonly full: Outage;
  private readonly log: Outage | undefined;
  private trouble: LogTrouble | undefined;
  /** Whether the alert about the log concerns only some partitions. */
  private isPartial = false;

  constructor({ alerts, connectionString, components, kafka }: OutagesOptions) {
    this.probe = new DatabaseProbe(connectionString);
    const { probe } = this;
    const server = serverOf(connectionString);
    const effects = effectsOf(components, kafka !== undefined);
    this.database = new Outage({
      alerts,
      code: 'database.unreachable',
      probe: () => probe.answers(),
      always: true,
      describe: (error) => ({
        message: `${server} ${isRefusal(error) ? 'refuses the connection' : 'does not answer'}: ${reasonOf(error)}.`,
        effect: effects.noDatabase,
        hint: 'Start PostgreSQL, or correct DATABASE_URL. The service continues by itself.',
      }),
    });
    this.readOnly = new Outage({
      alerts,
      code: 'database.read-only',
      probe: () => probe.takesChanges(),
      describe: () => ({
        message: `${server} is read-only.`,
        effect: effects.noWrites,
        hint: 'Name the primary server in DATABASE_URL, or make the database writable again (default_transaction_read_only). The service continues by itself.',
      }),
    });
    this.full = new Outage({
      alerts,
      code: 'database.full',
      probe: () => probe.hasRoom(),
      quietMs,
      describe: (error) => ({
        message: `The disk of ${server} is full: ${reasonOf(error)}.`,
        effect: effects.noWrites,
        hint: 'Free space on that disk. The service continues by itself.',
      }),
    });
    if (kafka !== undefined) {
      this.log = new Outage({
        alerts,
        code: 'log.unavailable',
        probe: async () => {
          if (this.trouble !== undefined) throw this.trouble.fault;
          await kafka.probe();
        },
        always: true,
        quietMs,
        describe: (error) => this.logText(kafka, effects, error),
      });
    }
  }

  /**
   * Call this method with the trouble when the log becomes unavailable, and with undefined when the log is available
   * again.
   */
  logTrouble(trouble: LogTrouble | undefined): void {
    this.trouble = trouble;
    if (trouble !== undefined) this.log?.suspect(trouble.fault);
  }

  /**
   * Returns the fault for the client if the error belongs to an outage. In this case, the caller must not log the
   * error. Also accepts the plain fields of an error that a thread has posted.
   */
  report(error: unknown): Fault | undefined {
    const outage = this.outageOf(error);
    if (outage === undefined) return undefined;
    outage.suspect(error);
    const { alert } = outage;
    if (alert !== undefined) return answerOf(outage.code, alert, error);
    return isFault(error) && error.kind === 'busy' && error.code.startsWith('database.') ? error : unnamed(error);
  }

  get isDown(): boolean {
    return this.all.some(({ alert }) => alert !== undefined);
  }

  /**
   * Returns true if only some partitions of Kafka are unavailable, because the service then refuses only the commands
   * for these partitions.
   */
  acceptsCommands(databaseUp: boolean): boolean {
    if (this.log !== undefined) return this.log.alert === undefined || this.isPartial;
    return databaseUp && !this.isDown;
  }

  private get all(): Outage[] {
    return [this.database, this.readOnly, this.full, ...(this.log === undefined ? [] : [this.log])];
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((outage) => outage.close()));
    await this.probe.close();
  }

  private logText({ brokers, topic, partitions }: KafkaLog, effects: Effects, error: unknown): AlertText {
    const { trouble } = this;
    const codes = codesOf(error);
    const isPartial =
      !codes.includes('log.unreachable') &&
      (trouble === undefined
        ? codes.some((code) => ofPartition.test(code))
        : trouble.partitions.length > 0 && trouble.partitions.length < partitions);
    this.isPartial = isPartial;
    const name = `Kafka (${brokers.join(', ')}, topic ${topic})`;
    // The innermost error does not name the partitions, but the message of `trouble` does.
    const reason = reasonOf(isPartial && trouble !== undefined ? { message: trouble.fault.message } : error);
    return {
      message: `${name} ${isPartial ? 'does not accept all commands' : 'is not available'}: ${reason}.`,
      effect: isPartial ? effects.noPartition : effects.noKafka,
      hint: 'Check that the brokers run and that this machine reaches them; KAFKA_BROKERS names them. The service continues by itself.',
    };
  }

  private outageOf(error: unknown): Outage | undefined {
    const codes = codesOf(error);
    const has = (wanted: RegExp): boolean => codes.some((code) => wanted.test(code));
    // Checks the codes of Kafka first, because some codes mean a broken connection to Kafka or to PostgreSQL.
    if (this.log !== undefined && has(ofKafka)) return this.log;
    // This error means that all connections of a pool are in use, which is not an outage. If PostgreSQL refuses
    // connections, the probe detects the outage.
    if (has(/^database\.crowded$/)) return this.database.alert === undefined ? undefined : this.database;
    if (has(/^25006$/)) return this.readOnly;
    if (has(/^53100$/)) return this.full;
    return has(ofConnection) || breaksConnection(error) ? this.database : undefined;
  }
}

const ofKafka = /^(log\.unavailable|log\.unreachable|log\.no-leader|KafkaJS\w*)$/;
const ofPartition = /^(log\.no-leader|LEADER_NOT_AVAILABLE|NOT_LEADER_FOR_PARTITION)$/;
/**
 * SQLSTATEs: connection broken (08) or refused (28), server shutting down or starting (57P), too many connections
 * (53300), no such database (3D000).
 */
const ofConnection = /^(database\.(unreachable|refused|cut-off|silent)|(08|28)...|57P..|53300|3D000)$/;
const ofRefusal = /^(database\.refused|28...|53300|3D000)$/;

/** Yields an error and its causes, outermost first. */
function* chain(error: unknown): Generator<{ readonly [field: string]: unknown }> {
  let at = error;
  for (let depth = 0; depth < 8 && typeof at === 'object' && at !== null; depth++) {
    yield at as { readonly [field: string]: unknown };
    const { cause, errors } = at as { cause?: unknown; errors?: unknown };
    at = cause ?? (Array.isArray(errors) ? (errors as unknown[])[0] : undefined);
  }
}

/** Includes the names and types of errors, because errors of Kafka's client have no codes. */
const codesOf = (error: unknown): string[] =>
  [...chain(error)]
    .flatMap(({ code, name, type }) => [code, name, type])
    .filter((code): code is string => typeof code === 'string');

const isRefusal = (error: unknown): boolean => codesOf(error).some((code) => ofRefusal.test(code));

/** Returns the message of the innermost error, because outer errors only describe the attempted action. */
function reasonOf(error: unknown): string {
  const said = [...chain(error)].map(({ message, code }) =>
    typeof message === 'string' && message !== '' ? message : code,
  );
  const [reason = 'no reason was given'] = said.filter((one) => typeof one === 'string').reverse();
  return excerpt(reason).replace(/\.$/, '');
}

function serverOf(connectionString: string): string {
  const { hostname, port, pathname, searchParams } = new URL(connectionString);
  const host = hostname === '' ? (searchParams.get('host') ?? 'local socket') : hostname;
  const name = decodeURIComponent(pathname.slice(1));
  return `PostgreSQL (${host}:${port === '' ? '5432' : port}${name === '' ? '' : `, database ${name}`})`;
}

export const answerOf = (code: OutageCode, { message, effect, hint, since }: Alert, cause: unknown): Fault =>
  new Fault('busy', code, [message, `Since ${since}.`, effect].filter(isText).join(' '), {
    ...(hint === undefined ? {} : { hint }),
    cause,
  });

/**
 * Returns the fault for a database error while no alert is raised. In this case, either the probe has not detected the
 * outage yet, or only one connection is broken.
 */
const unnamed = (error: unknown): Fault =>
  new Fault('busy', 'database.cut-off', `The database could not do that: ${reasonOf(error)}.`, {
    hint: 'Send it again a little later.',
    cause: error,
  });

const isText = (part: string | undefined): part is string => part !== undefined;

interface Effects {
  readonly noDatabase: string;
  readonly noWrites: string;
  readonly noKafka: string;
  readonly noPartition: string;
}

function effectsOf(components: Components, onKafka: boolean): Effects {
  const [writes, reads] = [components.has('write'), components.has('read')];
  const queries = reads ? 'Queries are answered 503.' : undefined;
  const sentences = (...parts: (string | undefined)[]): string => parts.filter(isText).join(' ');
  const taken = 'Commands are accepted and kept in Kafka; queries show them when this is over.';
  const refused = 'Commands are answered 503; those that were answered 200 are safe.';
  const someRefused = 'Commands of the nodes in these partitions are answered 503; others are accepted.';
  const projected = 'Queries show what was projected before.';
  return {
    noDatabase: sentences(writes ? (onKafka ? taken : refused) : undefined, queries, waiting(components)),
    noWrites: sentences(
      writes ? (onKafka ? taken : refused) : undefined,
      reads ? projected : undefined,
      waiting(components),
    ),
    noKafka: sentences(writes ? refused : undefined, reads ? projected : undefined, waiting(components)),
    noPartition: sentences(
      writes ? someRefused : undefined,
      reads ? 'Queries show for these nodes what was projected before.' : undefined,
      components.has('project') ? 'The projector continues with the other partitions.' : undefined,
    ),
  };
}

const waiting = (components: Components): string | undefined =>
  components.has('project') ? 'The projector waits.' : undefined;
