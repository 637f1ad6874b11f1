// Opens the tracer and its exporter; their code is loaded only where traces are wanted.
import { randomUUID } from 'node:crypto';
import type { Log } from '../../kit/log.ts';
import type { Tracer } from '../../kit/telemetry/tracer.ts';
import type { TraceSettings } from '../trace-settings.ts';

export async function openTracer(settings: TraceSettings, version: string, log: Log): Promise<Tracer> {
  const [{ Tracer: OpenTracer }, { OtlpExporter }] = await Promise.all([
    import('../../kit/telemetry/tracer.ts'),
    import('../../kit/telemetry/otlp-exporter.ts'),
  ]);
  const { url, ratio, headers, serviceName } = settings;
  const exporter = new OtlpExporter({
    url,
    headers: { 'User-Agent': `Slipway/${version}`, ...headers },
    source: {
      resource: { 'service.name': serviceName, 'service.version': version, 'service.instance.id': randomUUID() },
      scope: { name: 'slipway', version },
    },
    onTrouble: (reason) => log.warn({ receiver: url.origin, reason }, 'traces cannot be sent'),
    onBack: () => log.info({ receiver: url.origin }, 'traces are sent again'),
  });
  return new OpenTracer(ratio, exporter);
}
