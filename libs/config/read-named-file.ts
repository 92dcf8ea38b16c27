import { open } from 'node:fs/promises';
import { Fault, type FaultCode } from '#fault';

export interface NamedFile {
  readonly what: string;
  readonly path: string;
  /** Code of the fault that is thrown if the file cannot be read. */
  readonly code: FaultCode;
}

/** A larger file is probably the wrong one, and would occupy too much memory. */
const mostBytes = 32 << 20;

/** Throws a fault with the file's code if the file cannot be read, or is larger than 32 MB. */
export async function readNamedFile({ what, path, code }: NamedFile): Promise<string> {
  const refuse = (why: string, cause?: unknown): Fault =>
    new Fault('malformed', code, `${what} (${path}) cannot be read: ${why}`, {
      hint: 'Correct the path, or let the user of the service read the file.',
      cause,
    });
  const refuseError = (error: NodeJS.ErrnoException): never => {
    throw refuse(unreadableReason(error), error);
  };
  const file = await open(path, 'r').catch(refuseError);
  try {
    const { size } = await file.stat();
    if (size > mostBytes) throw refuse(`it is larger than ${mostBytes} bytes`);
    return await file.readFile('utf8').catch(refuseError);
  } finally {
    await file.close();
  }
}

/** The reason does not contain the name of the file. */
export const unreadableReason = (error: NodeJS.ErrnoException): string => reasons[error.code ?? ''] ?? error.message;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a directory',
};
