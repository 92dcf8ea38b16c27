import { EndpointBench } from '../../../test/support/endpoint-bench';
import { ConsoleApiModule } from '../index';

export type ConsoleBench = EndpointBench;

/** Opens the endpoints of the console. */
export const openConsoleBench = (): Promise<ConsoleBench> =>
  EndpointBench.open((served) => ConsoleApiModule.register(served));
