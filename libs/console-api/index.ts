export { ConsoleApiModule } from './console-api.module';
