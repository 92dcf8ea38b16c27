import { EndpointBench } from '../../../test/support/endpoint-bench';
import { ChangesModule } from '../index';

export type ChangesBench = EndpointBench;

/** Opens the endpoints about changes. */
export const openChangesBench = (): Promise<ChangesBench> =>
  EndpointBench.open(({ queries }) => ChangesModule.register({ queries }));
