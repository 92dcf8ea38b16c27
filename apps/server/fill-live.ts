import { type Database, type Generation, generationChannel, type Generations } from '#database';
import { Fault, isFault } from '#fault';
import { projectionVersion } from '#projections';

/**
 * Calls `fill` for the live generation until `stopping` aborts. When another generation becomes live, aborts the signal
 * of the current call, and calls `fill` for the new generation. Throws `server.no-generation` or
 * `server.projection-version`.
 */
export async function fillLive(
  db: Database,
  generations: Generations,
  stopping: AbortSignal,
  fill: (generation: Generation, until: AbortSignal) => Promise<void>,
): Promise<void> {
  let switched = new AbortController();
  const unlisten = await db.listen(generationChannel, () => switched.abort());
  try {
    let retired: Generation | undefined;
    while (!stopping.aborted) {
      // Creates the controller before it reads the live generation, so that a switch to another generation between
      // these two steps aborts the signal.
      switched = new AbortController();
      const generation = await generations.live();
      if (generation === undefined || generation.generation === retired?.generation) {
        throw new Fault('broken', 'server.no-generation', 'there are no read tables to fill');
      }
      if (generation.projectionVersion !== projectionVersion) throw otherSchemaVersion(generation);
      try {
        await fill(generation, AbortSignal.any([stopping, switched.signal]));
      } catch (error) {
        if (!isFault(error) || error.code !== 'database.retired') throw error;
        retired = generation;
      }
    }
  } finally {
    await unlisten();
  }
}

const otherSchemaVersion = ({ schema, projectionVersion: theirs }: Generation): Fault =>
  new Fault(
    'conflict',
    'server.projection-version',
    `the live read tables (${schema}) have form ${theirs}, but this program fills form ${projectionVersion}`,
    { hint: 'Start the program that made them instead of this one.' },
  );
