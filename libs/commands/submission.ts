import type { PayloadEncoding } from '#log';

/** A command with a checked envelope and an unread payload. */
export interface Submission {
  /** Canonical name with spaces, e.g. `replace facts`. */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly encoding: PayloadEncoding;
  /** Payload as received. */
  readonly payload: Buffer;
  /** SHA-1 (hexadecimal) of the inflated payload, as the client sent it. */
  readonly checksum?: string;
  /** Longest time in milliseconds to wait until the command is processed; 0: do not wait. */
  readonly waitMs: number;
  /** See NewRecord. */
  readonly headers: Readonly<Record<string, string>>;
}
