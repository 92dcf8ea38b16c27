export type EntryKind = 'configure expiration' | 'facts' | 'catalog' | 'catalog inputs' | 'report' | 'node state';

export interface EntryKindOf {
  readonly kind: EntryKind;
  readonly folder: string;
  readonly command: string;
  /** Whether the file name contains a hash after the certname. PuppetDB's import requires the hash for some kinds. */
  readonly hashed: boolean;
}

/**
 * An archive contains the documents of a node in this order, which an import needs. The expiration setting comes first
 * and protects the facts from expiration. The node state comes last, because the documents before it change the state.
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
 * Folder for documents of deactivated and expired nodes. PuppetDB's import ignores this folder. PuppetDB cannot import
 * the state of a node, so without the folder it would treat these nodes as active.
 */
export const inactiveFolder = 'inactive';
