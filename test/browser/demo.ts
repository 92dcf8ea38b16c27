/** A service with the history of the demo's fleet. Unlike in `npm run demo`, no further runs follow, so figures do not change. */
import { rm } from 'node:fs/promises';
import { DemoFleet } from '../../tools/demo/demo-fleet';
import { startService, temporaryDataDir } from '../e2e/service';

export interface Demo {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Resolves when queries show the history of the fleet. */
export async function startDemo(nodes: number): Promise<Demo> {
  // A developer saves a minute for each run of the tests with a demo that runs already.
  const running = process.env['TEST_DEMO_URL'];
  if (running !== undefined) return { url: running, stop: () => Promise.resolve() };
  const dataDir = await temporaryDataDir();
  const service = await startService({ dataDir });
  const stop = async (): Promise<void> => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const fleet = new DemoFleet(service.url, nodes);
  try {
    await fleet.writeHistory(dataDir, new AbortController().signal);
    return { url: service.url, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    fleet.close();
  }
}
