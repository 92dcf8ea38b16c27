import type { StoredRecord } from '../row-columns';
import { hashBytes } from './section-list';
import type { StoredSections } from './stored-sections';
import { eachHash, type SplitDocument } from './splitter';

export interface AppendedParts {
  readonly epoch: number;
  readonly columns: Required<Pick<StoredRecord, 'encoding' | 'plainBytes' | 'sections' | 'epoch' | 'payload'>>;
  readonly split: SplitDocument;
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

export function appendedParts(split: SplitDocument, epoch: number): AppendedParts {
  const { plainBytes, rest, sections } = split;
  const columns = {
    encoding: 'identity',
    plainBytes,
    sections: bufferOf(sections),
    epoch,
    payload: bufferOf(rest),
  } as const;
  return { epoch, columns, split };
}

/** The log need not contain sections and pieces that the batch itself stores. */
export function besideBatch(parts: readonly AppendedParts[]): StoredSections {
  const splits = parts.map(({ split }) => split);
  const sections = splits.flatMap(({ newSections }) =>
    newSections.map(({ hash, pieces }) => ({ hash: bufferOf(hash), pieces: bufferOf(pieces) })),
  );
  const pieces = splits.flatMap(newPieces);
  const assumed = (name: keyof SplitDocument['assumed'], given: readonly { readonly hash: Buffer }[]): Buffer => {
    const others = new Set(splits.flatMap((split) => [...eachHash(split.assumed[name])]));
    for (const { hash } of given) others.delete(hash.toString('latin1'));
    return Buffer.from([...others].join(''), 'latin1');
  };
  return {
    epoch: parts[0]!.epoch,
    assumedSections: assumed('sections', sections),
    assumedPieces: assumed('pieces', pieces),
    sections,
    pieces,
  };
}

function newPieces({ newPieces: { hashes, lengths, contents } }: SplitDocument): StoredSections['pieces'] {
  const [hash, content] = [bufferOf(hashes), bufferOf(contents)];
  let start = 0;
  return lengths.map((length, index) => {
    const end = start + length;
    const piece = {
      hash: hash.subarray(index * hashBytes, (index + 1) * hashBytes),
      content: content.subarray(start, end),
    };
    start = end;
    return piece;
  });
}
