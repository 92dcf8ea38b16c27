/**
 * The settings of tracing that nodeledger reads. The OpenTelemetry packages read other standard variables themselves.
 */
interface TraceSettings {
  readonly wanted: boolean;
  readonly notice?: string;
}

const off: TraceSettings = { wanted: false };

export function readTraceSettings(environment: NodeJS.ProcessEnv = process.env): TraceSettings {
  const of = (name: string): string => (environment[name] ?? '').trim();
  if (of('OTEL_SDK_DISABLED').toLowerCase() === 'true') return off;
  const endpoint = of('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || of('OTEL_EXPORTER_OTLP_ENDPOINT');
  const exporters = of('OTEL_TRACES_EXPORTER')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (exporters.length === 0 ? endpoint === '' : exporters.includes('none')) return off;
  if (exporters.length > 0 && !exporters.includes('otlp')) {
    return {
      wanted: false,
      notice: 'OTEL_TRACES_EXPORTER: no traces are sent; this service can send them as otlp only',
    };
  }
  const protocol = of('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || of('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'grpc') {
    const notice =
      'OTEL_EXPORTER_OTLP_PROTOCOL=grpc: no traces are sent; this service speaks http/json. Name the HTTP port of the ' +
      'collector (4318) in OTEL_EXPORTER_OTLP_ENDPOINT and unset the protocol';
    return { wanted: false, notice };
  }
  return { wanted: true };
}
