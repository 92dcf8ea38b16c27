import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { currentAsOf } from '../service/as-of';
import type { Me, Summary } from '../service/shapes';
import type { Answer } from '../service/use-answer';

export interface Session {
  readonly me: Me;
  readonly summary: Answer<Summary>;
  /** Number of dead letters. Undefined if the viewer is not allowed to see the number. */
  readonly deadLetters: number | undefined;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('a page is shown before the viewer is known');
  return session;
}

/**
 * Returns whether the viewer can use the rights of the role. Returns false for times in the past, because nobody can
 * change the past.
 */
export function useMay(role: string): boolean {
  const { me } = useSession();
  return currentAsOf() === undefined && me.may.includes(role);
}
