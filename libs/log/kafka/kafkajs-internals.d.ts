/** Types of the internal modules of kafkajs 2.2.4 that broker-link.ts uses. kafkajs does not publish types for them. */

declare module 'kafkajs/src/loggers' {
  export interface Logger {
    namespace(name: string): Logger;
  }
  export function createLogger(options: { level: number; logCreator: () => () => void }): Logger;
}

declare module 'kafkajs/src/network/connectionPool' {
  import type { ISocketFactory, KafkaConfig } from 'kafkajs';
  import type { Logger } from 'kafkajs/src/loggers';

  interface Protocol {
    request: unknown;
    response: { decode(bytes: unknown): unknown; parse(answer: unknown): unknown };
  }
  class ConnectionPool {
    constructor(
      options: Pick<KafkaConfig, 'sasl' | 'ssl' | 'clientId'> & {
        host: string;
        port: number;
        logger: Logger;
        socketFactory: ISocketFactory;
        connectionTimeout: number;
        requestTimeout: number;
      },
    );
    send(protocol: Protocol): Promise<unknown>;
  }
  export = ConnectionPool;
}

declare module 'kafkajs/src/broker' {
  import type { Logger } from 'kafkajs/src/loggers';
  import type ConnectionPool from 'kafkajs/src/network/connectionPool';

  interface Protocol {
    request: unknown;
    response: { decode(bytes: unknown): unknown; parse(answer: unknown): unknown };
  }
  class Broker {
    constructor(options: { connectionPool: ConnectionPool; logger: Logger; authenticationTimeout: number });
    connect(): Promise<void>;
    disconnect(): Promise<void>;
    /** Returns the newest version that both kafkajs and the broker support. Requires an open connection. */
    lookupRequest(apiKey: number, definitions: unknown): (options: unknown) => Protocol;
  }
  export = Broker;
}

declare module 'kafkajs/src/protocol/requests' {
  export const requests: { readonly Produce: unknown; readonly Fetch: unknown; readonly Metadata: unknown };
}

declare module 'kafkajs/src/protocol/requests/apiKeys' {
  const apiKeys: { readonly Produce: number; readonly Fetch: number; readonly Metadata: number };
  export = apiKeys;
}

declare module 'kafkajs/src/protocol/error' {
  /** The member `type` of the returned error is Kafka's name for the error, such as NOT_LEADER_FOR_PARTITION. */
  export function createErrorFromCode(code: number): Error;
}
