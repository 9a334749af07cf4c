/** OpenTelemetry behind `traza.server.ts`. Its packages are loaded only where OTEL_EXPORTER_OTLP_ENDPOINT names a collector. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attributes } from '@opentelemetry/api';
import { env } from './env.server';
import { log } from './log.server';
import { giveTracer, type Datos, type Lugar, type Tracer } from './traza.server';

/** Between two lines that say that a collector takes nothing. */
const SAY_MS = 60_000;

/** How long a process that ends waits for a collector. */
const LEAVE_MS = 2_000;

/** Delivery of spans; `stop` delivers what is left. */
export type Trazas = { stop(): Promise<void> };

/**
 * Begins to tell spans to the collector. Its address, headers, pace and sampling are the standard settings `OTEL_*`,
 * which the packages read themselves. A collector that is away loses spans and holds up nothing.
 */
export async function startTrazas(proceso: 'web' | 'worker'): Promise<Trazas> {
  if (env().OTEL_EXPORTER_OTLP_ENDPOINT === '') return { stop: () => Promise.resolve() };
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  let said = -Infinity;
  const quiet = () => undefined;
  const error = () => {
    if (performance.now() - said < SAY_MS) return;
    said = performance.now();
    log.warn('trazas sin entregar');
  };
  api.diag.setLogger(
    { error, warn: quiet, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  /** Place of the span that begins next; the package asks for its ids by no argument. */
  let next: Lugar | undefined;
  const random = new sdk.RandomIdGenerator();
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME || `trastienda-${proceso}` }),
    idGenerator: {
      generateTraceId: () => next?.traceId ?? random.generateTraceId(),
      generateSpanId: () => next?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const own = provider.getTracer('trastienda');
  const kinds = {
    recibe: api.SpanKind.SERVER,
    trabajo: api.SpanKind.CONSUMER,
    interno: api.SpanKind.INTERNAL,
    llama: api.SpanKind.CLIENT,
  };
  const tracer: Tracer = ({ nombre, clase, datos = {} }, { propio, padre }) => {
    const around = padre
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...padre, traceFlags: api.TraceFlags.SAMPLED, isRemote: true })
      : api.ROOT_CONTEXT;
    next = propio;
    const span = own.startSpan(nombre, { kind: kinds[clase], attributes: attributesOf(datos) }, around);
    next = undefined;
    return {
      ...placeOfSpan(span.spanContext()),
      describe: (more) => void span.setAttributes(attributesOf(more)),
      rename: (name) => void span.updateName(name),
      fail: (tipo) => void span.setStatus({ code: api.SpanStatusCode.ERROR }).setAttribute('error.type', tipo),
      end: () => span.end(),
    };
  };
  giveTracer(tracer);
  return {
    async stop() {
      giveTracer(undefined);
      await Promise.race([provider.shutdown().catch(error), sleep(LEAVE_MS, undefined, { ref: false })]);
      api.diag.disable();
    },
  };
}

const placeOfSpan = ({ traceId, spanId }: Lugar): Lugar => ({ traceId, spanId });

const attributesOf = (datos: Datos): Attributes =>
  Object.fromEntries(Object.entries(datos).filter(([, value]) => value !== undefined));
