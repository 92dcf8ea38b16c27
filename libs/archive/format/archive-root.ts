/**
 * The folder that contains all entries of an archive. Its name tells which dialect the archive uses. Both can be
 * imported in every dialect.
 */
export const archiveRoots = { neutral: 'nodeledger-bak', puppetdb: 'puppetdb-bak' } as const;

export type ArchiveRoot = (typeof archiveRoots)[keyof typeof archiveRoots];

export const isArchiveRoot = (name: string): name is ArchiveRoot =>
  Object.values(archiveRoots).some((root) => root === name);
