/** What a document in an archive is. */
export type EntryKind = 'configure expiration' | 'facts' | 'catalog' | 'catalog inputs' | 'report' | 'node state';

export interface EntryKindOf {
  readonly kind: EntryKind;
  /** Below the archive's root. */
  readonly folder: string;
  /** The command whose payload the document is; the versions are in the archive's metadata. */
  readonly command: string;
  /** Whether a hash follows the certname in the name of the file: PuppetDB's import expects it so. */
  readonly hashed: boolean;
}

/**
 * All kinds, in the order in which an archive holds the documents of one node. An import that keeps this order ends as the
 * exported node was: the expiration setting protects the facts from maintenance at once, and the state of the node comes
 * last, because it counts whatever the documents before it made of the node.
 */
export const entryKinds: readonly EntryKindOf[] = [
  {
    kind: 'configure expiration',
    folder: 'configure_expiration',
    command: 'configure expiration',
    hashed: true,
  },
  { kind: 'facts', folder: 'facts', command: 'replace facts', hashed: false },
  { kind: 'catalog', folder: 'catalogs', command: 'replace catalog', hashed: true },
  { kind: 'catalog inputs', folder: 'catalog_inputs', command: 'replace catalog inputs', hashed: true },
  { kind: 'report', folder: 'reports', command: 'store report', hashed: true },
  // Ours alone: PuppetDB's import passes over folders that it does not know.
  { kind: 'node state', folder: 'node_states', command: 'restore node', hashed: false },
];

/**
 * The folder between the root and that of the kind for the documents of nodes that are deactivated or expired. PuppetDB's
 * import passes over it: it could not learn the state of these nodes from an archive, and would show them as active.
 */
export const inactiveFolder = 'inactive';
