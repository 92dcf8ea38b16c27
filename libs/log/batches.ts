/** A record with more than `bytes` bytes is alone in its batch. */
interface BatchLimits {
  readonly records: number;
  readonly bytes: number;
}

/** If the source throws, yields the records that were read before the error, and then throws the error. */
export async function* inBatches<T>(
  records: AsyncIterable<T>,
  limits: BatchLimits,
  sizeOf: (record: T) => number,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  try {
    for await (const record of records) {
      const size = sizeOf(record);
      if (batch.length > 0 && (bytes + size > limits.bytes || batch.length >= limits.records)) {
        yield batch;
        batch = [];
        bytes = 0;
      }
      batch.push(record);
      bytes += size;
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
