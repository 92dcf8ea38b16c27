import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { QueryController } from './http/query.controller';
import { RequestCompiler } from './http/request-compiler';
import { QUERY_OPTIONS, type QueryOptions } from './run/query-options';
import { QueryRunner } from './run/query-runner';
import { RowHandler } from './run/row-query';
import { RowsHandler } from './run/rows-query';

@Module({})
export class QueryModule {
  static register(options: QueryOptions): DynamicModule {
    return {
      module: QueryModule,
      imports: [CqrsModule],
      controllers: [QueryController],
      providers: [QueryRunner, RequestCompiler, RowHandler, RowsHandler, { provide: QUERY_OPTIONS, useValue: options }],
    };
  }
}
