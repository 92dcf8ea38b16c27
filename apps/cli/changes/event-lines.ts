export interface ServerEvent {
  /** Undefined if the event contains only a position. */
  readonly data: string | undefined;
  /** Position in the stream after this event. A client sends the position to get the events that follow. */
  readonly id: string | undefined;
  readonly comment: string | undefined;
}

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
