import { type DynamicModule, Module } from '@nestjs/common';
import type { QueryOptions } from '#query';
import { DiffController } from './diff/diff.controller';
import { TimelineController } from './timeline/timeline.controller';
import { DriftController } from './drift/drift.controller';
import { ChangeTables } from './reading/change-tables';
import { QUERIES } from './reading/queries';
import { ChangeReader } from './stream/change-reader';
import { ChangesController } from './stream/changes.controller';
import { OpenStreams } from './stream/open-streams';

export interface LiveChanges {
  readonly reader: ChangeReader;
  readonly streams: OpenStreams;
}

export interface ChangesOptions {
  readonly queries: QueryOptions;
  /** Absent if the process does not offer streams of changes. */
  readonly live?: LiveChanges;
}

/** The endpoints about changes. A process serves them if it runs the component `read`. */
@Module({})
export class ChangesModule {
  static register({ queries, live }: ChangesOptions): DynamicModule {
    return {
      module: ChangesModule,
      controllers: [
        DiffController,
        TimelineController,
        DriftController,
        ...(live === undefined ? [] : [ChangesController]),
      ],
      providers: [
        ChangeTables,
        { provide: QUERIES, useValue: queries },
        ...(live === undefined
          ? []
          : [
              { provide: ChangeReader, useValue: live.reader },
              { provide: OpenStreams, useValue: live.streams },
            ]),
      ],
    };
  }
}
