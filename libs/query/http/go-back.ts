import type { FastifyReply } from '#http';
import type { Moment } from '../moment/moment';
import { describeRemoved, earliestHeader, earliestOf, type ResolvedMoment } from '../moment/resolve-moment';
import type { Snapshot } from '../run/snapshot';

/**
 * Header with the log positions at the time in `as_of`. A request with these positions in `as_of` gets an identical
 * answer.
 */
const asOfHeader = 'x-nodeledger-as-of';
const asOfTimeHeader = 'x-nodeledger-as-of-time';
const removedHeader = 'x-nodeledger-as-of-removed';

/**
 * Makes the snapshot read the tables as they were at the moment, and describes the moment in response headers. Throws
 * the faults of `resolveMoment`.
 */
export async function goBack(moment: Moment, snapshot: Snapshot, reply: FastifyReply): Promise<ResolvedMoment> {
  try {
    const resolved = await snapshot.goBack(moment);
    const { name, time, removed } = resolved;
    void reply.header(asOfHeader, name).header(asOfTimeHeader, time);
    if (removed.length > 0) void reply.header(removedHeader, describeRemoved(removed));
    return resolved;
  } catch (error) {
    const earliest = earliestOf(error);
    if (earliest !== undefined) void reply.header(earliestHeader, earliest);
    throw error;
  }
}
