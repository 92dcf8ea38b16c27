import { join } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { tuneGarbageCollection } from './garbage-collection';

/** Starts a thread with the program `file` of this folder. A new thread resets flags of V8 for the whole process, so this sets them again. */
export function startThread(file: string, options: WorkerOptions): Worker {
  return new Worker(join(__dirname, file), options).once('online', tuneGarbageCollection);
}
