import { documentKindOf, type WireDocument } from '#wire';
import type { BatchStep } from './batch-steps';
import { catalogKind } from './catalogs/catalog-kind';
import type { DocumentKind } from './document-kind';
import { factsetKind } from './facts/factset-kind';
import { inputsKind } from './inputs/inputs-kind';
import { removalKind } from './lifecycle/removal-kind';
import { deactivationKind, expirationKind, nodeRestorationKind } from './lifecycle/state-kinds';
import { partitionKind } from './partitions/partition-kind';
import { reportKind } from './reports/report-kind';

type Kind = WireDocument['kind'];

const documentKinds: { readonly [K in Kind]: DocumentKind<Extract<WireDocument, { readonly kind: K }>> } = {
  facts: factsetKind,
  catalog: catalogKind,
  report: reportKind,
  inputs: inputsKind,
  deactivation: deactivationKind,
  expiration: expirationKind,
  'node expiry': removalKind,
  'node purge': removalKind,
  'node deletion': removalKind,
  'report purge': removalKind,
  'node restoration': nodeRestorationKind,
  'age limits': partitionKind,
  'nodes restoration': partitionKind,
};

export const kindOf = (document: WireDocument): DocumentKind<WireDocument> => documentKinds[document.kind];

/** The kind of the documents of a command; undefined if there is no such command. */
export function kindOfCommand(command: string): DocumentKind<WireDocument> | undefined {
  const kind = documentKindOf(command);
  return kind && documentKinds[kind];
}

/** The step in which commands of this name are read, also those that cannot be read. */
export const readStepOf = (command: string): BatchStep => kindOfCommand(command)?.readStep ?? 'read_others';
