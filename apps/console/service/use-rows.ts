import { rootQuery } from './ast';
import { type Answer, type AskOptions, useAnswer } from './use-answer';

/** Sends no request if the query is undefined. */
export const useRows = <T>(query: string | undefined, options: AskOptions = {}): Answer<readonly T[]> =>
  useAnswer<readonly T[]>(query === undefined ? undefined : rootQuery, { query }, options);
