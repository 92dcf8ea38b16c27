/** A message in a stream of server-sent events. Contains only the parts that this program needs. */
export interface ServerEvent {
  /** The data of the message. Undefined if the message contains only a position. */
  readonly data: string | undefined;
  /** The position in the stream after the message. A client sends it to continue there. */
  readonly id: string | undefined;
  /** The text of a comment, such as `heartbeat`. */
  readonly comment: string | undefined;
}

/**
 * Yields the messages in an answer (text/event-stream) as they arrive. Ignores fields that this program does not need.
 */
export async function* readEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield eventOf(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function eventOf(message: string): ServerEvent {
  const fields = new Map<string, string>();
  for (const line of message.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    fields.set(name, value);
  }
  return { data: fields.get('data'), id: fields.get('id'), comment: fields.get('') };
}
