import { documentKindOf, type WireDocument } from '#wire';
import type { BatchStep } from './batch-steps';
import { catalogKind } from './catalogs/catalog-kind';
import type { DocumentKind } from './document-kind';
import { factsetKind } from './facts/factset-kind';
import { inputsKind } from './inputs/inputs-kind';
import { deactivationKind, expirationKind, nodeRestorationKind } from './lifecycle/state-kinds';
import { maintenanceKind } from './maintenance/maintenance-kind';
import { reportKind } from './reports/report-kind';

type Kind = WireDocument['kind'];

const documentKinds: { readonly [K in Kind]: DocumentKind<Extract<WireDocument, { readonly kind: K }>> } = {
  facts: factsetKind,
  catalog: catalogKind,
  report: reportKind,
  inputs: inputsKind,
  deactivation: deactivationKind,
  expiration: expirationKind,
  'node deletion': maintenanceKind,
  'node restoration': nodeRestorationKind,
  'age limits': maintenanceKind,
  'nodes restoration': maintenanceKind,
};

export const kindOf = (document: WireDocument): DocumentKind<WireDocument> => documentKinds[document.kind];

export function kindOfCommand(command: string): DocumentKind<WireDocument> | undefined {
  const kind = documentKindOf(command);
  return kind && documentKinds[kind];
}

export const readStepOf = (command: string): BatchStep => kindOfCommand(command)?.readStep ?? 'read_others';
