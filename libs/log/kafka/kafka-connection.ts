import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Kafka, logLevel, type ISocketFactory } from 'kafkajs';

export interface KafkaConnection {
  /** `host:port`. One reachable broker is enough, because it knows the addresses of the other brokers. */
  readonly brokers: readonly string[];
  readonly clientId?: string;
  /** PEM. An empty object means TLS with the certificate authorities of the system. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
}

export const requestMs = 10_000;
export const connectMs = 3_000;

const keepAliveMs = 30_000;

/** Opens a socket as kafkajs does, but disables Nagle's algorithm, which would delay small requests. */
const socketOf = ({ host, port, ssl, onConnect }: Parameters<ISocketFactory>[0]): Socket => {
  // According to its type, `ssl` is never undefined. But without TLS, kafkajs passes undefined.
  const options = ssl as typeof ssl | undefined;
  const socket =
    options === undefined || options === null
      ? connect({ host, port }, onConnect)
      : connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...options }, onConnect);
  socket.setKeepAlive(true, keepAliveMs);
  socket.setNoDelay(true);
  return socket;
};

export function clientConfig({ clientId, tls, sasl }: KafkaConnection) {
  return {
    clientId: clientId ?? 'nodeledger',
    ...(tls !== undefined && {
      ssl: {
        ...(tls.ca !== undefined && { ca: [tls.ca] }),
        ...(tls.cert !== undefined && { cert: tls.cert }),
        ...(tls.key !== undefined && { key: tls.key }),
      },
    }),
    ...(sasl !== undefined && { sasl: { ...sasl } as Exclude<typeof sasl, never> & { mechanism: 'plain' } }),
    socketFactory: socketOf,
    connectionTimeout: connectMs,
    requestTimeout: requestMs,
  };
}

/**
 * Disables the retries of kafkajs, because the callers retry. Every setting about retries has a value, because kafkajs
 * has other defaults if NODE_ENV is `test`.
 */
export function kafkaClient(connection: KafkaConnection): Kafka {
  return new Kafka({
    ...clientConfig(connection),
    brokers: [...connection.brokers],
    authenticationTimeout: requestMs,
    retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 2 },
    logLevel: logLevel.NOTHING,
    // Disables the log of kafkajs, even if KAFKAJS_LOG_LEVEL is set, because the service itself reports the errors.
    logCreator: () => () => undefined,
  });
}
