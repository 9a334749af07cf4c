/**
 * What goes on while the product is rolled: staff open lists and add agents, old pages read their data and their assets, customers open public pages, files are downloaded, a
 * marketplace sells and says so, and a program invoices those sales by the API.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { civilDay } from '~/core/time';
import { Cliente, Refusal } from '../mundo/cliente';
import type { SaleFacts } from '../support/mercadolibre';
import type { SandboxClient } from '../support/sandboxClient';
import { PASSWORD } from '../support/web';

/** The least that a customer's data need; `openTrafico` makes the PAC know them. */
const CLIENTE = { rfc: 'LOGM790203R55', razonSocial: 'MARTHA LOPEZ GUERRERO', cp: '03100', regimen: '612' };
const LISTAS = ['ordenes', 'hoy', 'preguntas', 'productos', 'facturasClientes', 'agentesVentas'];
const PUBLICAS = ['/login', '/terminosYCondiciones'];
/** One round of requests, in the order in which they leave. */
const RONDA = [
  'página',
  'recurso',
  'aviso',
  'datos',
  'página',
  'recurso',
  'forma',
  'pública',
  'recurso',
  'página',
  'descarga',
  'recurso',
  'datos',
  'página',
  'api',
  'recurso',
  'página',
  'pública',
  'datos',
  'página',
] as const;
type Que = (typeof RONDA)[number];
/** The end of a page, and of one whose late parts come behind it. */
const WHOLE = /<\/html>|streamController\.close\(\);<\/script>/;
/** A sale is invoiced once the product has had time to read it. */
const LEIDA_MS = 4_000;
/** How often a sale is asked for that the API says no to, as while its factura is on its way. */
const MOST_TIMES = 40;

/** One request as its sender saw it. `mal` is why it was wrong. */
export interface Pedida {
  que: Que;
  at: number;
  ms: number;
  mal?: string;
}
/** What is left of them at the end. */
const LAST_TIMES = 5;

interface Pagina {
  path: string;
  version: string;
  recursos: string[];
}

export interface Trafico {
  /** Each request that was answered. */
  readonly pedidas: readonly Pedida[];
  /** The order numbers of the sales whose notice was taken. */
  readonly avisadas: readonly string[];
  /** The addresses of the agents that were added. */
  readonly agentes: readonly string[];
  /** Versions of the product whose pages were opened. */
  readonly versiones: ReadonlySet<string>;
  /** Pages of another version that were opened anew in place of reading data. */
  readonly abiertasDeNuevo: number;
  /** Stops sending, and resolves once each request was answered. */
  stop(): Promise<void>;
  /** Invoices the sales that the API has not been asked for yet, until each was accepted. */
  invoiceAll(): Promise<void>;
}

/** Where the traffic goes, and by whom: `cookie` is a session of `sa`, `descarga` the address of a file that exists. */
interface Adonde {
  base: string;
  sandbox: SandboxClient;
  cookie: string;
  descarga: string;
  porSegundo: number;
}

/** Sends `porSegundo` requests each second, whether or not those before were answered, until it is stopped. */
export async function openTrafico({ base, sandbox, cookie, descarga, porSegundo }: Adonde): Promise<Trafico> {
  const { rfc, razonSocial: nombre, cp, regimen } = CLIENTE;
  await sandbox.facturacom.addContribuyente({ rfc, nombre, cp, regimenes: [regimen] });
  const programa = new Cliente(base, 'sa');
  await programa.signIn(PASSWORD);

  const pedidas: Pedida[] = [];
  const avisadas: string[] = [];
  const agentes: string[] = [];
  const porFacturar: { numOrden: string; desde: number; veces: number }[] = [];
  const abiertas: Pagina[] = [];
  let abiertasDeNuevo = 0;
  let sent = 0;

  /** The oldest half of what was opened is asked for as often as the rest. */
  const some = <T>(all: readonly T[]): T | undefined =>
    all[Math.floor((sent % 2 === 0 ? all.length / 2 : all.length) * ((sent * 0.618_034) % 1))];
  const ask = (path: string, init: RequestInit = {}) => fetch(base + path, { redirect: 'manual', ...init });

  async function openPage(path: string, withCookie = cookie): Promise<string | undefined> {
    const answer = await ask(path, { headers: { cookie: withCookie } });
    const html = await answer.text();
    if (answer.status !== 200) return `${path} answered ${answer.status}`;
    if (!WHOLE.test(html)) return `${path} was cut after ${html.length} letters`;
    const recursos = [...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css)/g))];
    abiertas.push({ path, version: answer.headers.get('x-construccion') ?? '', recursos });
    return undefined;
  }

  const SEND: Readonly<Record<Que, () => Promise<string | undefined>>> = {
    página: () => openPage(`/sa/${LISTAS[sent % LISTAS.length]}`),
    pública: () => openPage(PUBLICAS[sent % PUBLICAS.length]!, ''),
    async datos() {
      const pagina = some(abiertas.filter(({ path }) => path.startsWith('/sa/')));
      if (!pagina) return undefined;
      const { path, version } = pagina;
      const answer = await ask(`${path}.data?_routes=${encodeURIComponent(path.slice(1))}`, {
        headers: { cookie, 'x-construccion': version },
      });
      await answer.arrayBuffer();
      if (answer.status === 200) return undefined;
      if (answer.status !== 204) return `the data of ${path} answered ${answer.status}`;
      abiertasDeNuevo += 1;
      return await openPage(path);
    },
    async recurso() {
      const recurso = some(abiertas.flatMap(({ recursos }) => recursos));
      if (recurso === undefined) return undefined;
      const answer = await ask(recurso);
      const { byteLength } = await answer.arrayBuffer();
      return answer.status === 200 && byteLength > 0 ? undefined : `${recurso} answered ${answer.status}`;
    },
    async forma() {
      const email = `agente${sent}@ejemplo.mx`;
      const body = new URLSearchParams({
        intent: 'agregar',
        nombre: 'Laura',
        apellidos: 'Ríos',
        email,
        proveedor: 'tvc',
      });
      const answer = await ask('/sa/agentesVentas', { method: 'POST', headers: { cookie, origin: base }, body });
      await answer.arrayBuffer();
      if (answer.status !== 302) return `a form answered ${answer.status}`;
      agentes.push(email);
      return undefined;
    },
    async aviso() {
      const venta = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
      const answer = await ask(`/avisos/mercadolibre/${process.env.WEBHOOK_SECRETO}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          _id: `aviso-${sent}`,
          topic: 'orders_v2',
          resource: `/orders/${venta.ordenes[0]}`,
          user_id: 468123907,
          application_id: 5503910054140000,
        }),
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) return `a notice answered ${answer.status}`;
      avisadas.push(venta.numOrden);
      porFacturar.push({ numOrden: venta.numOrden, desde: Date.now(), veces: 0 });
      return undefined;
    },
    async descarga() {
      const answer = await ask(descarga, { headers: { cookie } });
      const { byteLength } = await answer.arrayBuffer();
      return answer.status === 200 && byteLength > 1_000
        ? undefined
        : `a download answered ${answer.status} with ${byteLength} bytes`;
    },
    api: () => invoiceNext(Date.now() - LEIDA_MS),
  };

  /** Invoices the next sale that was told of before `until`. A no that is not about us is asked for again later. */
  async function invoiceNext(until: number): Promise<string | undefined> {
    const next = porFacturar.findIndex(({ desde }) => desde < until);
    const [una] = next === -1 ? [] : porFacturar.splice(next, 1);
    try {
      if (!una) await programa.get('/api/v1/ordenes?limite=20');
      else
        await programa.post('/api/v1/facturas', {
          numOrden: una.numOrden,
          cliente: { ...CLIENTE, email: 'compras@ejemplo.mx' },
          usoCfdi: 'G03',
          formaPago: '04',
          fecha: civilDay(new Date()),
        });
    } catch (error) {
      // Whether it was accepted is not known: asked for again, it is told to be on its way, or there.
      if (una && una.veces < MOST_TIMES) porFacturar.push({ ...una, desde: Date.now(), veces: una.veces + 1 });
      if (!(error instanceof Refusal)) throw error;
      if (error.status >= 500 || !una) return error.message;
    }
    return undefined;
  }

  const under = new Set<Promise<void>>();
  async function send(que: Que) {
    const at = Date.now();
    const began = performance.now();
    const mal = await SEND[que]().catch((error: Error) => `${que}: ${String(error.cause ?? error)}`);
    pedidas.push({ que, at, ms: performance.now() - began, ...(mal !== undefined && { mal }) });
  }
  const clock = setInterval(() => {
    const one = send(RONDA[sent % RONDA.length]!).finally(() => under.delete(one));
    under.add(one);
    sent += 1;
  }, 1_000 / porSegundo);

  return {
    pedidas,
    avisadas,
    agentes,
    get versiones() {
      return new Set(abiertas.map(({ version }) => version));
    },
    get abiertasDeNuevo() {
      return abiertasDeNuevo;
    },
    async stop() {
      clearInterval(clock);
      await Promise.all(under);
    },
    async invoiceAll() {
      for (const una of porFacturar) una.veces = Math.max(una.veces, MOST_TIMES - LAST_TIMES);
      for (let left = porFacturar.length; left > 0; await sleep(200)) {
        const mal = await invoiceNext(Date.now());
        // A 503 says to come back: the connection to the PAC may still rest from the storm. A sale that was asked for too often is not asked for again.
        if (mal !== undefined && !(mal.includes('→ 503') && porFacturar.length === left)) throw new Error(mal);
        left = porFacturar.length;
      }
    },
  };
}
