/**
 * Runs one phase in a separate process, without the heap and the compiled code of another phase. Receives a task and
 * returns figures.
 */
import { appendByHttp, appendByPort, fill } from './append.mjs';
import { plainBatches, plainCopy, plainInsert, plainSend } from './floors.mjs';
import { project, read, replay, snapshotAt } from './project.mjs';

const phases = {
  appendByHttp,
  appendByPort,
  fill,
  plainBatches,
  plainCopy,
  plainInsert,
  plainSend,
  project,
  read,
  replay,
  snapshotAt,
};

process.once('message', async ({ phase, task }) => {
  let answer;
  try {
    answer = { figures: await phases[phase](task) };
  } catch (error) {
    answer = { failed: error instanceof Error ? `${error.stack}` : String(error) };
  }
  process.send(answer, () => process.disconnect());
});
