export { ConsoleApiModule, type ConsoleApiOptions } from './console-api.module';
