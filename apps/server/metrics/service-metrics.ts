import { FileContent, ownVersion, type Settings } from '#config';
import { Database } from '#database';
import type { AccessPolicy } from '#jolokia';
import type { CommandLog } from '#log';
import type { Components } from '../components';
import type { FileWatch } from '../file-watch';
import { beanTable } from './bean-table';
import { javaBeans } from './java-beans';
import { type LiveFigures, metricTable } from './metric-table';
import type { MetricsOptions } from './metrics-options';
import { readPolicy } from './read-policy';
import { ServiceBeans } from './service-beans';
import { ServiceMeters } from './service-meters';
import { StoredFigures } from './stored-figures';
import { MainThreadMeters } from './thread-meters';

const connections = 2;
const timeoutMs = 5_000;

/** The metrics of one process: its meters from its start on, and what its routes answer from. */
export class ServiceMetrics {
  readonly meters = new ServiceMeters();
  private readonly mainThread = new MainThreadMeters();
  private stored: StoredFigures | undefined;

  private constructor(
    private readonly settings: Readonly<Settings>,
    private readonly policy: FileContent<AccessPolicy> | undefined,
  ) {}

  /** Changes of the policy's file are used without a restart. Fault: `metrics.policy`. */
  static async start(settings: Readonly<Settings>, files: FileWatch): Promise<ServiceMetrics> {
    const { metricsPolicy: path } = settings;
    if (path === undefined) return new ServiceMetrics(settings, undefined);
    const file = { what: 'the file of NODELEDGER_METRICS_POLICY', path, code: 'metrics.policy' } as const;
    const policy = await FileContent.open(file, readPolicy);
    files.add({
      what: 'the metrics policy',
      paths: [path],
      alert: 'metrics.policy',
      reload: () => policy.reload(),
    });
    return new ServiceMetrics(settings, policy);
  }

  /**
   * What the routes answer from; undefined where metrics are turned off. Call once, after the projectors were added, and
   * `close` afterwards.
   */
  open(
    connectionString: string,
    log: CommandLog | undefined,
    components: Components,
    live: LiveFigures,
  ): MetricsOptions | undefined {
    const { settings, meters, policy } = this;
    if (!settings.metricsEnabled) return undefined;
    this.mainThread.start();
    const threads = [this.mainThread, ...meters.projectors.map(({ thread }) => thread)];
    const db = new Database({
      connectionString,
      max: connections,
      applicationName: 'nodeledger metrics',
      statementTimeoutMs: timeoutMs,
      connectTimeoutMs: timeoutMs,
      readOnly: true,
    });
    const stored = new StoredFigures(db, log);
    this.stored = stored;
    const { dialect, limits, reportedVersion } = settings;
    return {
      limits,
      jolokia: {
        source: new ServiceBeans(beanTable({ meters, stored }), dialect, javaBeans(threads)),
        ...(policy === undefined ? {} : { policy: () => policy.current }),
        limits,
        info: { product: 'nodeledger', vendor: 'nodeledger', version: reportedVersion },
      },
      families: metricTable({
        meters,
        stored,
        threads,
        live,
        build: { version: ownVersion(), reportedVersion, components: [...components].join(',') },
      }),
    };
  }

  async close(): Promise<void> {
    this.mainThread.stop();
    await this.stored?.close();
  }
}
