import { Fault } from '#fault';

/** Fault for an archive that cannot be read to its end. */
export const brokenArchive = (message: string, cause?: unknown): Fault =>
  new Fault('malformed', 'import.broken', message, {
    hint: 'An archive is a tar file compressed with gzip, as the export makes it. A repeat of the import changes nothing that is stored already.',
    ...(cause === undefined ? {} : { cause }),
  });
