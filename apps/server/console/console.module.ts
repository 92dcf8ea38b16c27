import { type DynamicModule, Module } from '@nestjs/common';
import { ConsoleController } from './console.controller';
import { ConsoleFiles } from './console-files';

/** `/console`. */
@Module({})
export class ConsoleModule {
  /** `folder` has the files that the build has bundled. */
  static register(folder: string): DynamicModule {
    return {
      module: ConsoleModule,
      controllers: [ConsoleController],
      providers: [{ provide: ConsoleFiles, useValue: new ConsoleFiles(folder) }],
    };
  }
}
