import type { TraceParent } from './trace-parent';

/** Names, ids, counts and times: never a value of a payload, a text of a query, a token. Undefined ones are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** One piece of work in a trace. */
export interface Span {
  /** As others name it as their parent; undefined where nothing is traced. */
  readonly place: TraceParent | undefined;
  child(name: string, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** Ends it, once; `failure` is an error's code, or a word. */
  end(failure?: string): void;
}

export interface SpanOptions {
  /** The work answers a request of another program. */
  readonly serves?: boolean;
  readonly parent?: TraceParent | undefined;
  readonly attributes?: SpanAttributes;
}

/** Where spans begin. */
export interface Tracing {
  /** False: spans cost nothing and are sent nowhere. */
  readonly on: boolean;
  start(name: string, options?: SpanOptions): Span;
  /** Sends what was not sent yet, for a few seconds at most. */
  close(): Promise<void>;
}

export const noSpan: Span = {
  place: undefined,
  child: () => noSpan,
  set: () => undefined,
  end: () => undefined,
};

export const noTracing: Tracing = { on: false, start: () => noSpan, close: async () => undefined };
