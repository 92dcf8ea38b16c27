import { type DynamicModule, Module } from '@nestjs/common';
import { ConsoleController } from './console.controller';
import { ConsoleFiles } from './console-files';

@Module({})
export class ConsoleModule {
  static register(folder: string): DynamicModule {
    return {
      module: ConsoleModule,
      controllers: [ConsoleController],
      providers: [{ provide: ConsoleFiles, useValue: new ConsoleFiles(folder) }],
    };
  }
}
