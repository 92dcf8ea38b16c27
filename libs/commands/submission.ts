import type { PayloadEncoding } from '#log';

/** A command whose envelope was checked; its payload was not looked into. */
export interface Submission {
  /** Canonical name with spaces, e.g. `replace facts`. */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly encoding: PayloadEncoding;
  /** The bytes as they came. */
  readonly payload: Buffer;
  /** SHA-1 (hex) that the client says its inflated payload has. */
  readonly checksum?: string;
  /** How long the client wants to wait until the command is processed; 0: not at all. */
  readonly waitMs: number;
  /** As of NewRecord. */
  readonly headers: Readonly<Record<string, string>>;
}
