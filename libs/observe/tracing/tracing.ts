import type { TraceParent } from './trace-parent';

/**
 * Names, ids, counts and times. Attributes never contain a value from a payload, the text of a query, or a token.
 * Attributes that are undefined are omitted.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  /** Other spans can name this value as their parent. Undefined if tracing is off. */
  readonly context: TraceParent | undefined;
  child(name: string, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /**
   * Later calls have no effect. If `failure` is given, the span counts as failed. `failure` is the code of an error, or
   * a word such as `gone`.
   */
  end(failure?: string): void;
}

export interface SpanOptions {
  readonly serves?: boolean;
  readonly parent?: TraceParent | undefined;
  readonly attributes?: SpanAttributes;
}

export interface Tracing {
  readonly on: boolean;
  start(name: string, options?: SpanOptions): Span;
  close(): Promise<void>;
}

export const noSpan: Span = {
  context: undefined,
  child: () => noSpan,
  set: () => undefined,
  end: () => undefined,
};

export const noTracing: Tracing = { on: false, start: () => noSpan, close: async () => undefined };
