/**
 * The sandbox of outside APIs, one process: `node bin/proceso.mjs sandbox`, `tsx tests/sandbox/start.ts`, or `startSandbox()` inside a test.
 * SANDBOX_PORT (3001), SANDBOX_SMTP_PORT (SANDBOX_PORT + 1), SANDBOX_DATA (folder of its state; memory only without it),
 * SANDBOX_PIEZAS (how many pieces the wholesalers share), SANDBOX_HORAS (file with the hour by which they open and close),
 * SANDBOX_WEBHOOK_URL (where the product receives notifications), SANDBOX_APP_URL (link on the page).
 */
import { realpathSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { createAmazon, type AmazonOptions } from './amazon';
import { controlRoutes } from './control';
import { createCodigosPostales } from './codigosPostales';
import { createCorreo } from './correo';
import { startSmtp } from './correo/smtp';
import { createCt } from './ct';
import { createCva } from './cva';
import { createFacturacom } from './facturacom';
import type { Workshop } from './facturacom/state';
import { Faults } from './faults';
import { createImagenes } from './imagenes';
import { createMercadolibre, type MercadolibreOptions } from './mercadolibre';
import { controlPage, homePage } from './page';
import { createSat } from './sat';
import { createServer, RequestLog } from './server';
import type { Service, ServiceOptions } from './service';
import { createStore, type DiskStore } from './store';
import { createSyscom } from './syscom';
import { createTs } from './ts';
import { createTvc } from './tvc';

export interface SandboxOptions {
  port: number;
  smtpPort: number;
  dataDir?: string;
  webhookUrl?: string;
  appUrl?: string;
  facturacom?: Workshop;
  /** The number of sales, their seed, and the day that counts as today. */
  mercadolibre?: Pick<MercadolibreOptions, 'anchor' | 'seed' | 'orders' | 'timeScale' | 'now'>;
  /** The number of sales of Amazon, the factor by which its limits of calls are higher than documented, and whether the shop's articles are on sale. */
  amazon?: Pick<AmazonOptions, 'ventas' | 'ritmo' | 'publicaciones'>;
  /** The number of pieces that the wholesalers share. */
  proveedores?: { productos?: number; horas?: string };
}

export interface Sandbox {
  url: string;
  smtpPort: number;
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  let url = '';
  let webhookUrl = options.webhookUrl;
  const stores: DiskStore[] = [];
  const faults = new Faults();
  const log = new RequestLog();

  function mount<S extends Service>(name: string, create: (serviceOptions: ServiceOptions) => S): S {
    const store = createStore(options.dataDir, name);
    const service = create({ store, baseUrl: () => url, webhookUrl: () => webhookUrl, appUrl: () => options.appUrl });
    store.attach(service);
    stores.push(store);
    return service;
  }

  const correo = mount('correo', createCorreo);
  const facturacom = mount('facturacom', (serviceOptions) =>
    createFacturacom({ ...serviceOptions, workshop: options.facturacom, deliver: correo.deliver }),
  );
  const mercadolibre = mount('mercadolibre', (serviceOptions) =>
    createMercadolibre({ ...options.mercadolibre, ...serviceOptions }),
  );
  const amazon = mount('amazon', (serviceOptions) => createAmazon({ ...options.amazon, ...serviceOptions }));
  const codigosPostales = mount('codigosPostales', createCodigosPostales);
  const sat = mount('sat', createSat);
  const imagenes = mount('imagenes', createImagenes);
  const proveedores = Object.entries({
    syscom: createSyscom,
    ct: createCt,
    tvc: createTvc,
    ts: createTs,
    cva: createCva,
  }).map(([name, create]) => mount(name, (serviceOptions) => create({ ...serviceOptions, ...options.proveedores })));
  const services: Service[] = [
    mercadolibre,
    amazon,
    facturacom,
    correo,
    codigosPostales,
    sat,
    imagenes,
    ...proveedores,
  ];

  const smtp = await startSmtp({ port: options.smtpPort, faults, deliver: correo.deliver });
  const server = createServer(
    services,
    {
      'GET /': () => homePage(services, smtp.port, options.appUrl),
      'GET /control': () => controlPage(services, faults, log),
      ...controlRoutes({ services, faults, log, setWebhook: (next) => (webhookUrl = next) }),
    },
    faults,
    log,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    smtpPort: smtp.port,
    async close() {
      for (const store of stores) store.close();
      server.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => server.close(() => resolve())),
        smtp.close(),
        ...services.map((service) => service.close?.()),
      ]);
    },
  };
}

async function main() {
  const port = Number(process.env.SANDBOX_PORT ?? 3001);
  const smtpPort = Number(process.env.SANDBOX_SMTP_PORT ?? port + 1);
  const sandbox = await startSandbox({
    port,
    smtpPort,
    dataDir: process.env.SANDBOX_DATA || undefined,
    webhookUrl: process.env.SANDBOX_WEBHOOK_URL || undefined,
    appUrl: process.env.SANDBOX_APP_URL || undefined,
    amazon: { publicaciones: true },
    proveedores: {
      ...(process.env.SANDBOX_PIEZAS && { productos: Number(process.env.SANDBOX_PIEZAS) }),
      ...(process.env.SANDBOX_HORAS && { horas: process.env.SANDBOX_HORAS }),
    },
  });
  console.log(`sandbox listo ${sandbox.url}`);
  console.log(`sandbox smtp 127.0.0.1:${sandbox.smtpPort}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
  }
  // The PAC makes its keys now, so that the first CFDI does not wait for them. A sandbox that is stopped meanwhile is no error.
  await fetch(`${sandbox.url}/control/facturacom/certificados`).catch(() => undefined);
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  main().catch((error: unknown) => {
    console.error('sandbox: no pudo empezar.', error instanceof Error ? error.message : error);
    process.exit(1);
  });
}
