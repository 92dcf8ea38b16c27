import { Fault, isFault } from '#fault';

/** Returns Kafka's name for the error or for one of its causes, such as `MESSAGE_TOO_LARGE`. */
export function brokerErrorType(error: unknown): string | undefined {
  let at: unknown = error;
  for (let depth = 0; depth < 8 && at instanceof Error; depth++) {
    const { type, errors, cause } = at as Error & { type?: unknown; errors?: unknown };
    if (typeof type === 'string') return type;
    at = Array.isArray(errors) ? errors[0] : cause;
  }
  return undefined;
}

const tooLarge = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);
const denied = /^(SASL_AUTHENTICATION_FAILED|UNSUPPORTED_SASL_MECHANISM|(TOPIC|CLUSTER)_AUTHORIZATION_FAILED)$/;

export const isTooLarge = (error: unknown): boolean => tooLarge.has(brokerErrorType(error) ?? '');

const refused = new Set(['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'UNKNOWN_TOPIC_OR_PARTITION']);

/** Returns whether the error proves that no message was stored. */
export const isRefused = (error: unknown): boolean =>
  (isFault(error) && (error.code === 'log.no-leader' || error.code === 'log.unreachable')) ||
  refused.has(brokerErrorType(error) ?? '');

const isDenied = (error: unknown): boolean =>
  denied.test(brokerErrorType(error) ?? '') || rootOf(error).name === 'KafkaJSSASLAuthenticationError';

/** Returns whether a retry cannot succeed. Returns false for unknown errors. */
export const isFinal = (error: unknown): boolean =>
  isFault(error) ? error.kind !== 'busy' : isTooLarge(error) || isDenied(error);

export const unreachable = (brokers: readonly string[], error: unknown): Fault =>
  new Fault('busy', 'log.unreachable', `Kafka (${brokers.join(', ')}) does not answer: ${rootOf(error).message}`, {
    hint: 'Check that a broker runs there and accepts connections from this machine; KAFKA_BROKERS names the brokers.',
    cause: error,
  });

/** `doing` names the work that failed. Unknown errors become `log.unavailable`. */
export function kafkaFault(error: unknown, doing: string): Fault {
  if (isFault(error)) return error;
  const { message } = rootOf(error);
  if (isTooLarge(error)) {
    return new Fault(
      'too-large',
      'log.too-large',
      `${doing}: the broker does not accept a record of this size: ${message}`,
      {
        hint: 'Raise max.message.bytes of the topic, or send smaller commands.',
        cause: error,
      },
    );
  }
  if (isDenied(error)) {
    return new Fault('broken', 'log.forbidden', `${doing}: Kafka does not allow it: ${message}`, {
      hint: 'Check the SASL name and password and the rights of that user on the topics and the cluster.',
      cause: error,
    });
  }
  const clock = brokerErrorType(error) === 'INVALID_TIMESTAMP';
  return new Fault('busy', 'log.unavailable', `${doing}: Kafka cannot do it at the moment: ${message}`, {
    hint: clock
      ? 'The clock of this machine or of the broker is wrong: they differ by more than Kafka accepts.'
      : 'It is tried again. Check that the brokers run and can be reached.',
    cause: error,
  });
}

function rootOf(error: unknown): Error {
  let at = error;
  for (let depth = 0; depth < 8 && at instanceof Error; depth++) {
    const { errors } = at as { errors?: unknown };
    const below: unknown = at.cause ?? (Array.isArray(errors) ? errors[0] : undefined);
    if (!(below instanceof Error)) return at;
    at = below;
  }
  return at instanceof Error ? at : new Error(String(at));
}
