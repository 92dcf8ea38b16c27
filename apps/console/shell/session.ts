import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { currentAsOf } from '../service/as-of';
import type { Me, Summary } from '../service/shapes';
import type { Answer } from '../service/use-answer';

export interface Session {
  readonly me: Me;
  readonly summary: Answer<Summary>;
  /** Undefined if the viewer is not allowed to see dead letters. */
  readonly deadLetters: number | undefined;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('a page is shown before the viewer is known');
  return session;
}

/** Returns false if the viewer looks at the past, because nobody can change the past. */
export function useMay(role: string): boolean {
  const { me } = useSession();
  return currentAsOf() === undefined && me.may.includes(role);
}
