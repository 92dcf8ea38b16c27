/** The folder that holds all entries of an archive. It tells whose names the archive uses; both are read in every dialect. */
export const archiveRoots = { neutral: 'nodeledger-bak', puppetdb: 'puppetdb-bak' } as const;

export type ArchiveRoot = (typeof archiveRoots)[keyof typeof archiveRoots];

export const isArchiveRoot = (name: string): name is ArchiveRoot =>
  Object.values(archiveRoots).some((root) => root === name);
