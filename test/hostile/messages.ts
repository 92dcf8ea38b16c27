/** Messages between the processes of this test. */

/** Messages to the well-behaved client. */
export type GoodOrder =
  | { readonly start: string; readonly seed: number }
  /** Later measurements count for this phase. */
  | { readonly phase: string }
  /** Facts of a node of this partition must become visible soon. */
  | { readonly probe: number };

export type GoodWord =
  | { readonly ready: true }
  | {
      readonly phase: string;
      readonly kind: 'command' | 'query';
      readonly what: string;
      readonly ms: number;
      readonly failure?: string;
    }
  | { readonly probed: number; readonly ms: number; readonly failure?: string }
  | { readonly status: string };

export type HostileOrder = { readonly start: string; readonly seed: number } | { readonly stop: true };

export type HostileWord =
  | { readonly ready: true }
  | { readonly kind: string; readonly outcome: string }
  | {
      readonly poison: string;
      readonly certname: string;
      readonly expected: Fate;
      readonly status: number;
      readonly text: string;
      /** Position in the log, if the command was accepted. */
      readonly partition?: number;
    };

/**
 * The expected outcome of a poison: refused when it is submitted, a dead letter, or, if it is only heavy, rows or a
 * dead letter.
 */
export type Fate = 'refused' | 'letter' | 'heavy';
