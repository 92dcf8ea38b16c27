import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Kafka, logLevel, type ISocketFactory } from 'kafkajs';

/** Where the brokers are and how they are spoken to. */
export interface KafkaConnection {
  /** `host:port` each; one that answers is enough to find the others. */
  readonly brokers: readonly string[];
  readonly clientId?: string;
  /** PEM texts. An empty object: TLS with the certificate authorities of the system. */
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

/** As the client's own, and without Nagle's delay: with it, a small request waits for the acknowledgement of the last. */
const socketOf = ({ host, port, ssl, onConnect }: Parameters<ISocketFactory>[0]): Socket => {
  // Typed as always given; it is only where TLS is wanted.
  const options = ssl as typeof ssl | undefined;
  const socket =
    options === undefined || options === null
      ? connect({ host, port }, onConnect)
      : connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...options }, onConnect);
  socket.setKeepAlive(true, keepAliveMs);
  socket.setNoDelay(true);
  return socket;
};

/** What every connection to a broker has in common. */
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
 * A client that tries little by itself: whoever uses it knows how long to go on. All of the retry settings are given,
 * because the client has others of its own where NODE_ENV says `test`.
 */
export function kafkaClient(connection: KafkaConnection): Kafka {
  return new Kafka({
    ...clientConfig(connection),
    brokers: [...connection.brokers],
    authenticationTimeout: requestMs,
    retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 2 },
    logLevel: logLevel.NOTHING,
    // Also where KAFKAJS_LOG_LEVEL asks for more: what matters is told in our own words.
    logCreator: () => () => undefined,
  });
}
