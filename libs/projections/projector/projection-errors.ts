import { databaseErrorCode, isOutOfOrder, isRetriable } from '#database';
import { isFault } from '#fault';

/** The database refuses the batch for reasons of its own; the records have nothing to do with it. */
export const isDatabaseTrouble = (error: unknown): boolean => isRetriable(error) || isOutOfOrder(error);

/** Another projector has moved a position. */
export const isFenced = (error: unknown): boolean => isFault(error) && error.code === 'database.fenced';

const foreignKeyViolation = '23503';

/**
 * Shared rows that the projector remembers as stored were deleted by a collection. A foreign key violation has the same cause: a path
 * was deleted between the statements that write the path and its types. The read tables have no other foreign key.
 */
export const isCollected = (error: unknown): boolean =>
  (isFault(error) && error.code === 'database.shared-rows-collected') ||
  databaseErrorCode(error) === foreignKeyViolation;

/** The generation is no longer to be filled. */
export const isRetired = (error: unknown): boolean => isFault(error) && error.code === 'database.retired';
