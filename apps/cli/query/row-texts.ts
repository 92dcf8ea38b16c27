/**
 * Yields the text of each element of a JSON array that arrives in chunks, so that an answer of any size needs the
 * memory of one row. Does not validate the JSON, because the service has written it.
 */
export async function* rowTexts(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  /** Index in `text` at which the current row starts. Undefined between rows. */
  let start: number | undefined;
  let pos = 0;
  let depth = 0;
  let isInString = false;
  for await (const chunk of chunks) {
    text += chunk;
    for (; pos < text.length; pos++) {
      const code = text.charCodeAt(pos);
      if (isInString) {
        if (code === 0x5c) pos++;
        else if (code === 0x22) isInString = false;
      } else if (code === 0x22) {
        isInString = true;
        if (depth === 1) start ??= pos;
      } else if (code === 0x5b || code === 0x7b) {
        if (depth === 1) start ??= pos;
        depth++;
      } else if (code === 0x5d || code === 0x7d) {
        depth--;
        if (depth === 0 && start !== undefined) yield text.slice(start, pos).trimEnd();
      } else if (code === 0x2c && depth === 1) {
        if (start !== undefined) yield text.slice(start, pos).trimEnd();
        start = undefined;
      } else if (depth === 1 && start === undefined && code > 0x20) start = pos;
    }
    // If a chunk ends with an escape character, `pos` can be beyond the end of `text`.
    const kept = start ?? Math.min(pos, text.length);
    text = text.slice(kept);
    pos -= kept;
    if (start !== undefined) start = 0;
  }
}
