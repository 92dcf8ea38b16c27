import { hash } from 'node:crypto';
import { compressPiece, leaveOut, plainDocument } from '../../divide-document';
import type { FindSections } from '../../document-parts';
import { KnownSections } from './known-sections';
import type { PayloadEncoding } from '../../record';
import { cut } from '../../cut';
import { RecentHashes } from './recent-hashes';
import { hashBytes, writeSections } from './section-list';

/** Has only plain data, so that a thread can receive it. */
export interface SplitTask {
  readonly command: string;
  readonly certname: string;
  readonly encoding: PayloadEncoding;
  readonly payload: Uint8Array;
  /**
   * If this number differs from the number of the previous task, the splitter forgets which sections and pieces it has
   * returned.
   */
  readonly round: number;
}

/** Contains only plain data in unshared memory, so that a thread can send it. */
export interface SplitDocument {
  readonly plainBytes: number;
  readonly rest: Uint8Array;
  readonly sections: Uint8Array;
  /**
   * Concatenated hashes of the sections and pieces of the document that this result omits, because an earlier result
   * contains them.
   */
  readonly assumed: { readonly sections: Uint8Array; readonly pieces: Uint8Array };
  /** Sections that no earlier result contains. `pieces` has the concatenated hashes of the section's pieces. */
  readonly newSections: readonly { readonly hash: Uint8Array; readonly pieces: Uint8Array }[];
  /** Pieces that no earlier result contains. `hashes` and `contents` are concatenated. */
  readonly newPieces: {
    readonly hashes: Uint8Array;
    readonly lengths: readonly number[];
    readonly contents: Uint8Array;
  };
}

/** Returns each section and each piece only in the first result that needs it. */
export class Splitter {
  private readonly givenSections = new RecentHashes();
  private readonly givenPieces = new RecentHashes();
  private readonly knownSections = new KnownSections();
  private round = 0;

  constructor(private readonly findSections: FindSections) {}

  /**
   * Returns undefined if the document must be stored whole: it is too large, is not valid gzip, or has no large
   * section.
   */
  split({ command, certname, encoding, payload, round }: SplitTask): SplitDocument | undefined {
    if (round !== this.round) this.forget(round);
    const document = plainDocument(payload, encoding);
    if (document === undefined) return undefined;
    const known = this.knownSections.of(`${command} ${certname}`, document);
    const left = leaveOut(document, this.findSections(command, document, known.endOf), known.hashOf);
    if (left === undefined) return undefined;
    const given = new Given();
    for (const { bytes, sha256, boundary } of left.sections) this.giveSection(bytes, sha256, boundary, given);
    return {
      plainBytes: document.length,
      rest: own(left.compressedRest),
      sections: own(writeSections(left.sections)),
      ...given.all(),
    };
  }

  private forget(round: number): void {
    this.round = round;
    this.givenSections.clear();
    this.givenPieces.clear();
  }

  private giveSection(bytes: Buffer, sha256: Buffer, boundary: string, given: Given): void {
    if (!this.givenSections.add(sha256)) {
      given.assumedSections.push(sha256);
      return;
    }
    const hashes: Buffer[] = [];
    for (const piece of cut(bytes, boundary)) {
      const pieceHash = hash('sha256', piece, 'buffer');
      hashes.push(pieceHash);
      if (this.givenPieces.add(pieceHash)) given.addPiece(pieceHash, compressPiece(piece));
      else given.assumedPieces.push(pieceHash);
    }
    given.newSections.push({ hash: own(sha256), pieces: own(Buffer.concat(hashes)) });
  }
}

class Given {
  readonly assumedSections: Buffer[] = [];
  readonly assumedPieces: Buffer[] = [];
  readonly newSections: { hash: Uint8Array; pieces: Uint8Array }[] = [];
  private readonly hashes: Buffer[] = [];
  private readonly contents: Buffer[] = [];

  addPiece(pieceHash: Buffer, content: Buffer): void {
    this.hashes.push(pieceHash);
    this.contents.push(content);
  }

  all(): Pick<SplitDocument, 'assumed' | 'newSections' | 'newPieces'> {
    return {
      assumed: {
        sections: own(Buffer.concat(this.assumedSections)),
        pieces: own(Buffer.concat(this.assumedPieces)),
      },
      newSections: this.newSections,
      newPieces: {
        hashes: own(Buffer.concat(this.hashes)),
        lengths: this.contents.map(({ length }) => length),
        contents: own(Buffer.concat(this.contents)),
      },
    };
  }
}

/**
 * Node.js allocates small buffers from a shared pool, and sending one of them to a thread would copy the whole pool.
 */
const own = (bytes: Buffer): Uint8Array => new Uint8Array(bytes);

export function* eachHash(hashes: Uint8Array): Generator<string> {
  const bytes = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length);
  for (let at = 0; at < bytes.length; at += hashBytes) yield bytes.toString('latin1', at, at + hashBytes);
}
