/** What the processes of this test tell one another. */

/** To the client that behaves. */
export type GoodOrder =
  | { readonly start: string; readonly seed: number }
  /** The measures from here on count for this phase. */
  | { readonly phase: string }
  /** Facts of a node of this partition are to be visible soon. */
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
      /** Of the log, where it was accepted. */
      readonly partition?: number;
    };

/** What becomes of a poison: refused when it is submitted, a dead letter, or, where it is only heavy, rows or a letter. */
export type Fate = 'refused' | 'letter' | 'heavy';
