import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEndOfFile } from './endOfFile';

type Attribute = { key: string; value: { stringValue?: string; intValue?: number | string } };
type Sent = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<Tramo, 'servicio' | 'datos'> & { attributes: Attribute[] })[] }[];
  }[];
};
/** A span as a collector keeps it. */
export type Tramo = {
  servicio: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  datos: Record<string, string | number | undefined>;
};

const dataOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

/** A collector of OpenTelemetry on this machine (OTLP in JSON). `tramos` is what it was told. It ends with the file. */
export async function openColector(): Promise<{ url: string; tramos: Tramo[] }> {
  const tramos: Tramo[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Sent;
      for (const { resource, scopeSpans } of resourceSpans) {
        const servicio = String(dataOf(resource.attributes)['service.name']);
        for (const { attributes, ...span } of scopeSpans.flatMap(({ spans }) => spans))
          tramos.push({ ...span, servicio, datos: dataOf(attributes) });
      }
      res.writeHead(req.url === '/v1/traces' ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEndOfFile(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tramos };
}
