import type { WireEvent, WireReport } from '#wire';
import type { DocumentKind } from '../document-kind';
import { foldRepeatedReport, foldReport } from '../fold';

/** Bytes of memory for each element of a report with its rows, measured and rounded up. */
const bytesOf = { event: 1_200, eventCharacter: 4 };

export const reportKind: DocumentKind<WireReport> = {
  readStep: 'read_reports',
  apply(report, { state, record, receivedAt, parts }) {
    const { latestReportStatus } = state.row;
    if (!parts.reports.add(state.node, report, receivedAt, record)) {
      foldRepeatedReport(state, report);
      return 'ignored';
    }
    const isLatest = foldReport(state, report);
    if (isLatest) parts.reports.setLatest(state.node, report, record);
    if (report.status !== 'unchanged' || (isLatest && latestReportStatus !== report.status))
      parts.reports.setNoted(report);
    return 'applied';
  },
  weigh: ({ events }) => events.reduce((sum, event) => sum + weighEvent(event), 0),
  stored: {
    mayBe: ({ producedAt }, { reports }) => producedAt !== undefined && reports.has(producedAt),
    is: ({ hash }, { reports }, { producedAt }) =>
      producedAt !== undefined && reports.get(producedAt)?.has(hash) === true,
  },
};

function weighEvent({ resourceTitle, file, containmentPath }: WireEvent): number {
  let characters = resourceTitle.length + (file?.length ?? 0);
  for (const element of containmentPath ?? []) characters += element.length + 1;
  return bytesOf.event + characters * bytesOf.eventCharacter;
}
