import { ownVersion, type Settings } from '#config';
import { Database } from '#database';
import type { CommandLog } from '#log';
import type { Components } from '../components';
import { javaBeans } from './java-beans';
import { familiesOf, type LiveFigures, metricTable } from './metric-table';
import type { MetricsOptions } from './metrics-options';
import { ownPools } from '../own-pools';
import { ServiceBeans } from './service-beans';
import { ServiceMeters } from './service-meters';
import { StoredFigures } from './stored-figures';
import { MainThreadMeters } from './thread-meters';

const timeoutMs = 5_000;

export class ServiceMetrics {
  readonly meters = new ServiceMeters();
  private readonly mainThread = new MainThreadMeters();
  private stored: StoredFigures | undefined;

  constructor(private readonly settings: Readonly<Settings>) {}

  /** Call this method once, after all projectors have been added. */
  open(
    connectionString: string,
    log: CommandLog | undefined,
    components: Components,
    live: LiveFigures,
  ): MetricsOptions {
    const { settings, meters } = this;
    this.mainThread.start();
    const threads = [this.mainThread, ...meters.projectors.map(({ thread }) => thread)];
    const db = new Database({
      connectionString,
      max: ownPools.metrics,
      applicationName: 'nodeledger metrics',
      statementTimeoutMs: timeoutMs,
      connectTimeoutMs: timeoutMs,
      readOnly: true,
    });
    const stored = new StoredFigures(db, log, settings.kafkaBrokers === undefined);
    this.stored = stored;
    const { dialect, limits, reportedVersion } = settings;
    const build = { version: ownVersion(), reportedVersion, components: [...components].join(',') };
    const table = metricTable({ meters, stored, threads, live, build });
    return {
      limits,
      jolokia: {
        source: new ServiceBeans(table, dialect, javaBeans(threads)),
        limits,
        info: { product: 'nodeledger', vendor: 'nodeledger', version: reportedVersion },
      },
      families: familiesOf(table),
    };
  }

  async close(): Promise<void> {
    this.mainThread.stop();
    await this.stored?.close();
  }
}
