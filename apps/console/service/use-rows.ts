import { rootQuery } from './ast';
import { type Answer, type AskOptions, useAnswer } from './use-answer';

/** Asks a query in JSON form; without one, asks nothing. */
export const useRows = <T>(query: string | undefined, options: AskOptions = {}): Answer<readonly T[]> =>
  useAnswer<readonly T[]>(query === undefined ? undefined : rootQuery, { query }, options);
