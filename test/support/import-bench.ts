/** A service with the import route, a log, read tables and a projector, and archives to send to it. */
import { Module, type DynamicModule } from '@nestjs/common';
import { CommandsModule, Completions, IntakeLimits } from '#commands';
import { openHttp, type HttpServer } from '#http';
import type { Limits } from '#limits';
import { archiveOf, type MadeEntry, multipart, type Multipart } from './archives';
import { catalog, edge, event, factset, report, resource } from './documents';
import { ProjectionBench } from './projection';
import { ImportModule } from '../../libs/archive/import/import.module';

@Module({})
class Both {
  static over(modules: DynamicModule[]): DynamicModule {
    return { module: Both, imports: modules };
  }
}

export interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly imported: string | null;
  readonly text: string;
}

export class ImportBench {
  private constructor(
    readonly tables: ProjectionBench,
    readonly server: HttpServer,
  ) {}

  static async open(limits: Limits): Promise<ImportBench> {
    const tables = await ProjectionBench.open();
    const { db: database, log } = tables;
    const completions = new Completions(database);
    const server = await openHttp(
      Both.over([
        CommandsModule.register({
          log,
          completions,
          limits: new IntakeLimits(limits.commandBytes),
          checksums: { policy: 'warn' },
        }),
        ImportModule.register({ database, limits }),
      ]),
      {
        listeners: [{ host: '127.0.0.1', port: 0 }],
        maxBodyBytes: 100_000,
        streamedBodies: ['/pdb/admin/v1/archive'],
        arrival: { wholeMs: 300, headersMs: 300, checkMs: 50 },
      },
    );
    return new ImportBench(tables, server);
  }

  get url(): string {
    return `${this.server.urls[0]}/pdb/admin/v1/archive`;
  }

  async send({ body, contentType }: Multipart, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await fetch(this.url, {
      method: 'POST',
      body,
      headers: { 'content-type': contentType, ...headers },
    });
    const text = await answer.text();
    return {
      status: answer.status,
      code: answer.headers.get('x-nodeledger-error'),
      imported: answer.headers.get('x-nodeledger-imported'),
      text: text.startsWith('{"error"') ? (JSON.parse(text) as { error: string }).error : text,
    };
  }

  sendArchive(archive: Buffer): Promise<Answer> {
    return this.send(multipart(archive));
  }

  async sendEntries(entries: readonly MadeEntry[]): Promise<Answer> {
    return this.sendArchive(await archiveOf(entries));
  }

  /** Returns the number of records that were appended to the log. */
  async appended(): Promise<number> {
    return [...(await this.tables.log.ends()).values()].reduce((sum, end) => sum + end, 0);
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.tables.close();
  }
}

export const facts = (certname: string, values: object = { a: 1 }): MadeEntry => ({
  name: `puppetdb-bak/facts/${certname}.json`,
  content: factset(certname, values),
});
export const hash = '0123456789abcdef0123456789abcdef01234567';
/** Returns one document of each kind. */
export const node = (certname: string): MadeEntry[] => [
  {
    name: `puppetdb-bak/configure_expiration/${certname}-${hash}.json`,
    content: { certname, producer_timestamp: '2025-12-01T00:00:00.000Z', expire: { facts: false } },
  },
  facts(certname),
  {
    name: `puppetdb-bak/catalogs/${certname}-${hash}.json`,
    content: catalog(certname, [resource('/a'), resource('/b')], [edge('/a', '/b')]),
  },
  {
    name: `puppetdb-bak/catalog_inputs/${certname}-${hash}.json`,
    content: {
      certname,
      producer_timestamp: '2026-01-01T00:00:00.000Z',
      catalog_uuid: '00000000-0000-4000-8000-000000000002',
      inputs: [['hiera', 'x']],
    },
  },
  { name: `puppetdb-bak/reports/${certname}-${hash}.json`, content: report(certname, [event('mode')]) },
];
