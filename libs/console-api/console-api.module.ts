import { type DynamicModule, Module } from '@nestjs/common';
import { Access } from '#access';
import type { QueryOptions } from '#query';
import { FactDistributionController } from './facts/fact-distribution.controller';
import { FacetsController } from './facets/facets.controller';
import { NodeListController } from './node-list/node-list.controller';
import { PackageVersionsController } from './packages/package-versions.controller';
import { QueryPageController } from './query-page/query-page.controller';
import { FailuresController } from './failures/failures.controller';
import { RunsController } from './runs/runs.controller';
import { FleetReader } from './reading/fleet-reader';
import { QUERIES } from './reading/queries';
import { SearchController } from './search/search.controller';
import { SessionController } from './session/session.controller';
import { SummaryController } from './summary/summary.controller';

export interface ConsoleApiOptions {
  readonly queries: QueryOptions;
  readonly access: Access;
}

@Module({})
export class ConsoleApiModule {
  static register({ queries, access }: ConsoleApiOptions): DynamicModule {
    return {
      module: ConsoleApiModule,
      controllers: [
        SessionController,
        SummaryController,
        RunsController,
        FailuresController,
        FacetsController,
        NodeListController,
        FactDistributionController,
        PackageVersionsController,
        SearchController,
        QueryPageController,
      ],
      providers: [FleetReader, { provide: QUERIES, useValue: queries }, { provide: Access, useValue: access }],
    };
  }
}
