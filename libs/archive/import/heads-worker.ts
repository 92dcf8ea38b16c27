import { serveTasks } from '#threads';
import { type DocumentHead, headOf } from '../read/document-head';
import type { HeadTask } from './head-reader';

serveTasks(
  ({ payload, entry }: HeadTask): DocumentHead =>
    headOf(Buffer.from(payload.buffer, payload.byteOffset, payload.length), entry),
  ({ payload }) => [payload.buffer as ArrayBuffer],
);
