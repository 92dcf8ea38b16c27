import { payloadText } from './payload-text';

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Rest {
  readonly text: string;
  readonly offsets: readonly number[];
}

/** Replaces ranges of a document's bytes by empty arrays. The ranges must be in order, and must not overlap. */
export function leaveOut(payload: Buffer, ranges: readonly Range[]): Rest {
  const offsets: number[] = [];
  let text = '';
  let from = 0;
  for (const { start, end } of ranges) {
    text += payloadText(payload.subarray(from, start));
    offsets.push(text.length);
    text += '[]';
    from = end;
  }
  return { text: text + payloadText(payload.subarray(from)), offsets };
}
