/**
 * The OpenTelemetry packages read the collector's address from the standard environment variables (`OTEL_*`). These
 * packages are loaded only when `openTracing` is called.
 */
import type { Context, Span as OtelSpan, Tracer } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { withTimeout } from '#fault';
import type { TraceParent } from './trace-parent';
import type { Span, SpanAttributes, SpanOptions, Tracing } from './tracing';

type Api = typeof import('@opentelemetry/api');
type ExportDone = Parameters<SpanExporter['export']>[1];

interface TracingOptions {
  readonly version: string;
  /**
   * Called after each attempt to send spans, with the reason if the attempt has failed, and otherwise with undefined.
   * The reason never contains the collector's address.
   */
  readonly onSent?: (failure: string | undefined) => void;
}

const serviceName = 'nodeledger';
const closeMs = 3_000;

/** Rejects if the OpenTelemetry packages are not installed. */
export async function openTracing({ version, onSent }: TracingOptions): Promise<Tracing> {
  const [api, sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const exporter = new WatchedExporter(new OTLPTraceExporter(), onSent);
  const provider = new sdk.BasicTracerProvider({ resource, spanProcessors: [new sdk.BatchSpanProcessor(exporter)] });
  const tracer = provider.getTracer(serviceName, version);
  return {
    on: true,
    start: (name, options) => startSpan(api, tracer, name, options),
    close: async () => {
      // `shutdown` rejects if the last spans cannot be sent. `onSent` reports this error.
      await withTimeout(provider.shutdown(), closeMs).catch(() => undefined);
    },
  };
}

function startSpan(api: Api, tracer: Tracer, name: string, { serves, parent, attributes }: SpanOptions = {}): Span {
  const kind = serves === true ? api.SpanKind.SERVER : api.SpanKind.INTERNAL;
  const context = parent === undefined ? api.ROOT_CONTEXT : contextOf(api, parent);
  return new SentSpan(api, tracer, tracer.startSpan(name, { kind, attributes: defined(attributes) }, context));
}

function contextOf(api: Api, { traceId, spanId, sampled }: TraceParent): Context {
  const traceFlags = sampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE;
  return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

class SentSpan implements Span {
  private ended = false;

  constructor(
    private readonly api: Api,
    private readonly tracer: Tracer,
    private readonly span: OtelSpan,
  ) {}

  get context(): TraceParent {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return { traceId, spanId, sampled: (traceFlags & this.api.TraceFlags.SAMPLED) !== 0 };
  }

  child(name: string, attributes?: SpanAttributes): Span {
    const context = this.api.trace.setSpan(this.api.ROOT_CONTEXT, this.span);
    return new SentSpan(
      this.api,
      this.tracer,
      this.tracer.startSpan(name, { attributes: defined(attributes) }, context),
    );
  }

  set(attributes: SpanAttributes): void {
    if (!this.ended) this.span.setAttributes(defined(attributes));
  }

  end(failure?: string): void {
    if (this.ended) return;
    this.ended = true;
    if (failure !== undefined) {
      this.span.setAttribute('error.type', failure);
      this.span.setStatus({ code: this.api.SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}

const defined = (attributes: SpanAttributes = {}): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined),
  );

class WatchedExporter implements SpanExporter {
  constructor(
    private readonly exporter: SpanExporter,
    private readonly onSent: TracingOptions['onSent'],
  ) {}

  export(spans: ReadableSpan[], done: ExportDone): void {
    this.exporter.export(spans, (result) => {
      // Code 0 means success.
      this.onSent?.(Number(result.code) === 0 ? undefined : reasonOf(result.error));
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }
}

/**
 * Returns the HTTP status or the system's error code for a failure. Never returns the error message, because the
 * message may quote the collector's answer or address.
 */
function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'number') return `status ${code}`;
  return typeof code === 'string' ? code : 'no answer in time';
}
