/** Starts the brokers of one cluster for a test. Each is a separate process, and all are controllers as well. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../free-ports';
import { startProcess, type BrokerProcess } from './own-broker';

/** Kafka's default: a node on a busy machine must not lose its role. */
const sessionMs = 9_000;
const heapMegabytes = 256;

export interface ClusterNode extends BrokerProcess {
  readonly id: number;
  /** host:port, as clients use it. */
  readonly address: string;
}

export interface OwnCluster {
  /** Numbered from 1, in order. */
  readonly nodes: readonly ClusterNode[];
  readonly brokers: string[];
  /** Ends all nodes and removes their data. */
  stop(): Promise<void>;
}

/** Takes about half a minute. Leaders can be elected only while a majority of the nodes runs. */
export async function startCluster(count = 3): Promise<OwnCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nodeledger-cluster-'));
  const ports = await freePorts(2 * count);
  const places = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    port: ports[2 * index] as number,
    controllerPort: ports[2 * index + 1] as number,
  }));
  const voters = places.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join();
  const clusterId = `k${randomBytes(16).toString('base64url').slice(1)}`;
  const starts = await Promise.allSettled(
    places.map(async ({ id, port, controllerPort }): Promise<ClusterNode> => {
      const args = [
        '--data',
        join(dataDir, `node-${id}`),
        '--port',
        `${port}`,
        '--controller-port',
        `${controllerPort}`,
      ];
      args.push('--node-id', `${id}`, '--voters', voters, '--cluster-id', clusterId, '--replicas', `${count}`);
      args.push('--quick', '--session-timeout', `${sessionMs}`, '--heap', `${heapMegabytes}`);
      const broker = await startProcess(args);
      return {
        id,
        address: `127.0.0.1:${port}`,
        get pid() {
          return broker.pid;
        },
        stop: () => broker.stop(),
        kill: () => broker.kill(),
        restart: () => broker.restart(),
      };
    }),
  );
  const nodes = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const stop = async (): Promise<void> => {
    // The data is deleted, so a clean stop is not needed.
    await Promise.all(nodes.map((node) => node.kill()));
    await rm(dataDir, { recursive: true, force: true });
  };
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return { nodes, brokers: nodes.map(({ address }) => address), stop };
}
