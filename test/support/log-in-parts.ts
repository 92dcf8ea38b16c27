import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { CommandLog, LogRecord } from '#log';
import { documentSections, type DocumentParts } from '#wire';

/** Separates the sections of a document from the rest, as the embedded log does. The embedded log leaves small sections in the rest. */
export function divided(command: string, document: Buffer): Required<DocumentParts> {
  const rest: Buffer[] = [];
  let [from, left] = [0, 0];
  const sections = documentSections(command, document).map(({ start, end, weight }) => {
    rest.push(document.subarray(from, start));
    left += start - from;
    from = end;
    const bytes = document.subarray(start, end);
    return { at: left, length: bytes.length, weight, sha256: hash('sha256', bytes, 'buffer'), bytes };
  });
  return { rest: Buffer.concat([...rest, document.subarray(from)]), sections };
}

function inParts(record: LogRecord): LogRecord {
  const whole = record.encoding === 'gzip' ? gunzipSync(record.payload) : record.payload;
  const { rest, sections } = divided(record.command, whole);
  if (sections.length === 0) return record;
  return {
    ...record,
    encoding: 'identity',
    payload: Buffer.alloc(0),
    parts: {
      sections: sections.map(({ bytes: _, ...section }) => section),
      length: whole.length,
      compressedRest: gzipSync(rest),
      pieces: () => Promise.reject(new Error('a projector reads no pieces')),
      rest: () => Promise.resolve(rest),
      sectionBytes: () => Promise.resolve(sections.map(({ bytes }) => bytes as Buffer)),
      whole: () => Promise.resolve(whole),
    },
  };
}

/** Returns the log. Its readers give the records in parts. */
export function logInParts(log: CommandLog): CommandLog {
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'reader')
        return (...given: Parameters<CommandLog['reader']>) => {
          const reader = target.reader(...given);
          const next = reader.next.bind(reader);
          return Object.assign(reader, {
            next: async (...limits: Parameters<typeof next>) => (await next(...limits)).map(inParts),
          });
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
