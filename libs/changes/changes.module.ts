import { type DynamicModule, Module } from '@nestjs/common';
import type { QueryOptions } from '#query';
import { DiffController } from './diff/diff.controller';
import { TimelineController } from './timeline/timeline.controller';
import { DriftController } from './drift/drift.controller';
import { ChangeTables } from './reading/change-tables';
import { QUERIES } from './reading/queries';

export interface ChangesOptions {
  readonly queries: QueryOptions;
}

/** The endpoints about changes, below `/nodeledger/v1`. They need the component `read`. */
@Module({})
export class ChangesModule {
  static register({ queries }: ChangesOptions): DynamicModule {
    return {
      module: ChangesModule,
      controllers: [DiffController, TimelineController, DriftController],
      providers: [ChangeTables, { provide: QUERIES, useValue: queries }],
    };
  }
}
