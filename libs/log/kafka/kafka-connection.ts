import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Kafka, logLevel, type ISocketFactory } from 'kafkajs';

/** The addresses of the brokers, and how to connect. */
export interface KafkaConnection {
  /** Each is `host:port`. One broker that answers is enough to find the others. */
  readonly brokers: readonly string[];
  readonly clientId?: string;
  /** PEM texts. An empty object means TLS with the certificate authorities of the system. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
}

/** Longest time that one request to a broker may take. */
export const requestMs = 10_000;
export const connectMs = 3_000;

const keepAliveMs = 30_000;

/** As the client makes them, but without Nagle's algorithm: with it, a small request waits for the acknowledgement of the previous one. */
const socketOf = ({ host, port, ssl, onConnect }: Parameters<ISocketFactory>[0]): Socket => {
  // The type says that it is always given, but without TLS it is not.
  const options = ssl as typeof ssl | undefined;
  const socket =
    options === undefined || options === null
      ? connect({ host, port }, onConnect)
      : connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...options }, onConnect);
  socket.setKeepAlive(true, keepAliveMs);
  socket.setNoDelay(true);
  return socket;
};

/** Returns the settings that all connections to brokers share. */
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
    // The union's members differ in the mechanism only.
    ...(sasl !== undefined && { sasl: { ...sasl } as Exclude<typeof sasl, never> & { mechanism: 'plain' } }),
    socketFactory: socketOf,
    connectionTimeout: connectMs,
    requestTimeout: requestMs,
  };
}

/**
 * Returns a client with few retries: its callers retry for as long as they need. Sets all retry settings, because the client
 * has other defaults if NODE_ENV is `test`.
 */
export function kafkaClient(connection: KafkaConnection): Kafka {
  return new Kafka({
    ...clientConfig(connection),
    brokers: [...connection.brokers],
    authenticationTimeout: requestMs,
    retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 2 },
    logLevel: logLevel.NOTHING,
    // Logs nothing, also if KAFKAJS_LOG_LEVEL is set: the faults and alerts of the service say what matters.
    logCreator: () => () => undefined,
  });
}
