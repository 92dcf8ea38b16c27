export const moveHint =
  'A build before 0.2.0, the first release, wrote it. Start that build and run `nodeledger export`. Then start this release with an ' +
  'empty data directory (or database and topic) and run `nodeledger import`.';
