import { open } from 'node:fs/promises';
import { Fault } from '#fault';

/** More than any certificate, key or list of names needs, so that a wrong path fills no memory. */
const mostBytes = 32 << 20;

/** The text of a file that somebody named. `what` is for people: "the certificate". Fault: `tls.file`. */
export async function readNamedFile(what: string, path: string): Promise<string> {
  const refuse = (why: string, cause?: unknown): Fault =>
    new Fault('malformed', 'tls.file', `${what} (${path}) cannot be read: ${why}`, {
      hint: 'Correct the path, or let the user of the service read the file.',
      cause,
    });
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw refuse(reasons[error.code ?? ''] ?? error.message, error);
  });
  try {
    const { size } = await file.stat();
    if (size > mostBytes) throw refuse(`it is larger than ${mostBytes} bytes`);
    return await file.readFile('utf8').catch((error: NodeJS.ErrnoException) => {
      throw refuse(reasons[error.code ?? ''] ?? error.message, error);
    });
  } finally {
    await file.close();
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a directory',
};
