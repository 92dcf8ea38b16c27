import { type DynamicModule, Module } from '@nestjs/common';
import type { QueryOptions } from '#query';
import { FacetsController } from './facets/facets.controller';
import { NodeListController } from './node-list/node-list.controller';
import { FleetReader } from './reading/fleet-reader';
import { QUERIES } from './reading/queries';
import { SummaryController } from './summary/summary.controller';

/** What the pages of the console ask for, below `/nodeledger/v1`. */
@Module({})
export class ConsoleApiModule {
  static register(queries: QueryOptions): DynamicModule {
    return {
      module: ConsoleApiModule,
      controllers: [SummaryController, FacetsController, NodeListController],
      providers: [FleetReader, { provide: QUERIES, useValue: queries }],
    };
  }
}
