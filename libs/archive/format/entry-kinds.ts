/** Kinds of documents in an archive. */
export type EntryKind = 'configure expiration' | 'facts' | 'catalog' | 'catalog inputs' | 'report' | 'node state';

export interface EntryKindOf {
  readonly kind: EntryKind;
  /** Below the archive's root. */
  readonly folder: string;
  /** The command that has the document as its payload. The metadata names the version. */
  readonly command: string;
  /** Whether a hash follows the certname in the file name, as PuppetDB's import expects. */
  readonly hashed: boolean;
}

/**
 * All kinds, in the order of the documents of one node. The order matters for an import: the expiration setting must
 * protect the facts from maintenance at once, and the state of the node must come last, because the documents before it
 * change the state.
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
  // PuppetDB's import ignores folders that it does not know.
  { kind: 'node state', folder: 'node_states', command: 'restore node', hashed: false },
];

/**
 * The folder for documents of deactivated and expired nodes, between the root and the folder of the kind. PuppetDB's
 * import ignores it. Otherwise PuppetDB would show these nodes as active, because it cannot import their state.
 */
export const inactiveFolder = 'inactive';
