/**
 * The folder that contains all entries of an archive. The folder name identifies the dialect of the archive. The
 * service can import both dialects.
 */
export const archiveRoots = { neutral: 'nodeledger-bak', puppetdb: 'puppetdb-bak' } as const;

export type ArchiveRoot = (typeof archiveRoots)[keyof typeof archiveRoots];

export const isArchiveRoot = (name: string): name is ArchiveRoot =>
  Object.values(archiveRoots).some((root) => root === name);
