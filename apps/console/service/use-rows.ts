import { rootQuery } from './ast';
import { type Answer, type AskOptions, useAnswer } from './use-answer';

/** Sends a query in JSON form. Sends nothing without a query. */
export const useRows = <T>(query: string | undefined, options: AskOptions = {}): Answer<readonly T[]> =>
  useAnswer<readonly T[]>(query === undefined ? undefined : rootQuery, { query }, options);
