import type { WireMaintenance } from '#wire';
import type { DocumentKind } from '../document-kind';

export const maintenanceKind: DocumentKind<WireMaintenance> = {
  readStep: 'read_others',
  apply(document, { record, parts }) {
    parts.maintenance.add(document, record);
    return 'applied';
  },
};
