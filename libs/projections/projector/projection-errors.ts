import { databaseErrorCode, isOutOfOrder, isRetriable } from '#database';
import { isFault } from '#fault';

export const isDatabaseTrouble = (error: unknown): boolean => isRetriable(error) || isOutOfOrder(error);

export const isFenced = (error: unknown): boolean => isFault(error) && error.code === 'database.fenced';

const foreignKeyViolation = '23503';

/**
 * Returns whether shared rows in the cache were deleted. A violation of a foreign key also means this, because the only
 * foreign key refers from the types of a path to the path, which is a shared row.
 */
export const isCollected = (error: unknown): boolean =>
  (isFault(error) && error.code === 'database.shared-rows-collected') ||
  databaseErrorCode(error) === foreignKeyViolation;

export const isRetired = (error: unknown): boolean => isFault(error) && error.code === 'database.retired';
