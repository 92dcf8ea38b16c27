import { ownVersion, readTraceSettings } from '#config';
import { type Alerts, type Log, noTracing, openTracing, type Tracing } from '#observe';

export async function openTraces(log: Log, alerts: Alerts): Promise<Tracing> {
  const { wanted, notice } = readTraceSettings();
  if (notice !== undefined) log.warn(notice);
  if (!wanted) return noTracing;
  const onSent = (failure: string | undefined): void => {
    if (failure === undefined) {
      alerts.clear('traces.unsent');
      return;
    }
    alerts.raise('traces.unsent', {
      severity: 'warning',
      message: `Traces cannot be sent to the collector: ${failure}.`,
      effect: 'Commands and queries continue; spans are lost.',
      hint: 'Check OTEL_EXPORTER_OTLP_ENDPOINT and the collector, or set OTEL_SDK_DISABLED=true.',
    });
  };
  try {
    return await openTracing({ version: ownVersion(), onSent });
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') throw err;
    log.warn(
      'no traces are sent: the packages of OpenTelemetry are not installed; `npm ci` without --omit=optional does',
    );
    return noTracing;
  }
}
