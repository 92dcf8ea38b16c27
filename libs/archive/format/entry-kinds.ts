export type EntryKind = 'configure expiration' | 'facts' | 'catalog' | 'catalog inputs' | 'report' | 'node state';

export interface EntryKindOf {
  readonly kind: EntryKind;
  /** Folder below the root of the archive. */
  readonly folder: string;
  /** The command whose payload is the document. The metadata contains the version of the command. */
  readonly command: string;
  /** Whether the file name contains a hash after the certname. PuppetDB's import requires the hash for some kinds. */
  readonly hashed: boolean;
}

/**
 * All kinds, in the order in which an archive contains the documents of one node. An import needs this order. The
 * expiration setting comes first and protects the facts from expiration. The node state comes last, because the
 * documents before it change the state.
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
  { kind: 'node state', folder: 'node_states', command: 'restore node', hashed: false },
];

/**
 * The folder for documents of deactivated and expired nodes, between the root and the folder of the kind. PuppetDB's
 * import ignores this folder. Without the folder, PuppetDB would import the documents and treat the nodes as active,
 * because it cannot import the state of a node.
 */
export const inactiveFolder = 'inactive';
