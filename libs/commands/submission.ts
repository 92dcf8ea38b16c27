import type { PayloadEncoding } from '#log';

/** A command with a checked envelope. The payload is not parsed yet. */
export interface Submission {
  /** Name of the command with spaces, such as `replace facts`. */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  readonly encoding: PayloadEncoding;
  /** The payload, compressed as `encoding` says. */
  readonly payload: Buffer;
  /** The client's SHA-1 of the decompressed payload, in hexadecimal digits. Absent if the client sent none. */
  readonly checksum?: string;
  /** Longest time in milliseconds to wait until the command is processed. If it is 0, the service does not wait. */
  readonly waitMs: number;
  readonly headers: Readonly<Record<string, string>>;
}
