import { sql } from 'kysely';
import { env } from '~/core/env.server';
import type { Db } from '~db/client.server';

/** Key of the setting that holds the last line of the audit trail that the demo's own seed wrote. */
export const DESDE_EL_RECORRIDO = 'demo.recorrido';

/** One step of the tour of the demo: an act of the day, done for real. */
export type PasoDelRecorrido = {
  clave: string;
  titulo: string;
  /** What to do, and what to look at. */
  texto: string;
  /** Screen where the act is done. A person who may not open it has no such step. */
  pantalla: string;
  /** Queue of 'Hoy' whose first thing the step leads to, while one waits. */
  cola: string | null;
  hecho: boolean;
  /** Address of the thing that the step leads to, inside the area; null where the queue or the screen tells it. */
  a: string | null;
};

type Paso = Omit<PasoDelRecorrido, 'hecho' | 'a'> & {
  /** Acts of the audit trail ('entidad:accion') that end the step. */
  actos: readonly string[];
};

/** The marketplace's label is there for a sale that the person ordered. The worker brings it, so no act of a person tells it. */
const GUIA_DEL_PEDIDO = 'guia del pedido';

const PASOS: readonly Paso[] = [
  {
    clave: 'venta',
    titulo: 'Una venta',
    texto:
      'Ábrela: quién compró, qué espera y cuánto deja. Después envía al cliente el enlace con el que se factura solo.',
    pantalla: 'ordenes',
    cola: null,
    actos: ['orden:crear enlace', 'orden:enlace enviado'],
  },
  {
    clave: 'pedido',
    titulo: 'Su pedido',
    texto: 'Pídela a su proveedor desde el panel. El costo y lo que queda se ven antes de pedir.',
    pantalla: 'ordenes',
    cola: null,
    actos: ['orden:crear pedido', 'orden:confirmar el pedido', 'orden:surtir con stock interno'],
  },
  {
    clave: 'guia',
    titulo: 'Su guía',
    texto:
      'La guía del mercado llega unos segundos después del pedido y viaja con él. Imprímela en el panel de esa venta; la de lo que sale de tu bodega se imprime al empacar.',
    pantalla: 'ordenes',
    cola: null,
    actos: [GUIA_DEL_PEDIDO, 'envio:comprar la guía', 'envio:empacar'],
  },
  {
    clave: 'factura',
    titulo: 'Su factura',
    texto: 'Timbra una factura. Antes de timbrar se ve el documento como va a quedar.',
    pantalla: 'facturacion',
    cola: 'listasParaFacturar',
    actos: ['orden:facturar'],
  },
  {
    clave: 'pregunta',
    titulo: 'Una pregunta',
    texto: 'Contesta a un comprador. La respuesta sale a los ocho segundos, y hasta entonces se puede deshacer.',
    pantalla: 'responderPreguntas',
    cola: 'preguntas',
    actos: ['pregunta:responder'],
  },
  {
    clave: 'devolucion',
    titulo: 'Una devolución',
    texto: 'Recibe una pieza que regresa: queda en tu stock con su etiqueta QR, y con lo que costó.',
    pantalla: 'bodega',
    cola: 'devolucionesPorRecibir',
    actos: ['stockAlta:crear devolución'],
  },
  {
    clave: 'cierre',
    titulo: 'El cierre de un mes',
    texto: 'Genera la factura global de las ventas que nadie facturó.',
    pantalla: 'facturacionGeneral',
    cola: 'cierreDeMes',
    actos: ['mes:generar factura global'],
  },
  {
    clave: 'deposito',
    titulo: 'Un depósito',
    texto: 'Abre un depósito que no cuadra, mira por qué, y anota el motivo o que ya se reclamó.',
    pantalla: 'conciliacion',
    cola: 'depositosConDiferencia',
    actos: ['deposito:anotar', 'conciliacion:anotar'],
  },
];

/**
 * Returns the steps of the tour that this person may do, each done once the person did its act since the demo was ready. Null outside the demo, while
 * its seed still writes, and for a person who put the tour away.
 */
export async function readRecorrido(
  db: Db,
  usuarioId: string,
  puede: (pantalla: string) => boolean,
): Promise<PasoDelRecorrido[] | null> {
  if (env().DEMO !== '1') return null;
  const { rows } = await sql<{
    hechos: string[];
    venta: string | null;
    porPedir: string | null;
    pedida: string | null;
    conGuia: boolean;
  }>`
    with desde as (select (valor #>> '{}')::bigint as id from ajuste where clave = ${DESDE_EL_RECORRIDO}),
    suyo as (
      select b.id, b.entidad || ':' || b.accion as acto, b.entidad_id from bitacora b, desde
      where b.id > desde.id and b.usuario_id = ${usuarioId}),
    reciente as (
      select o.id, o.fecha_creacion,
        exists (select from pedido p where p.market = o.market and p.num_orden = o.num_orden) as con_pedido
      from orden o
      where o.estatus = 'enPreparacion' and o.proveedor is not null
      order by o.fecha_creacion desc limit 200),
    pedida as (
      select o.id, exists (select from guia g where g.envio_id = o.envio_id and g.anulada_en is null) as con_guia
      from suyo join orden o on o.num_orden = suyo.entidad_id
      where suyo.acto = 'orden:crear pedido'
      order by con_guia desc, suyo.id desc limit 1)
    select
      (select coalesce(array_agg(distinct acto), '{}') from suyo) as hechos,
      (select id from reciente order by fecha_creacion desc limit 1) as venta,
      (select id from reciente where not con_pedido order by fecha_creacion desc limit 1) as "porPedir",
      (select id from pedida) as pedida,
      coalesce((select con_guia from pedida), false) as "conGuia"
    from desde
    where not exists (select from preferencia where usuario_id = ${usuarioId} and not recorrido)`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const hechos = new Set(row.conGuia ? [...row.hechos, GUIA_DEL_PEDIDO] : row.hechos);
  const ventas: ReadonlyMap<string, string | null> = new Map([
    ['venta', row.venta],
    ['pedido', row.porPedir],
    ['guia', row.pedida ?? row.porPedir],
  ]);
  return PASOS.filter(({ pantalla }) => puede(pantalla)).map(({ actos, ...paso }) => {
    const venta = ventas.get(paso.clave);
    return { ...paso, hecho: actos.some((acto) => hechos.has(acto)), a: venta ? `ordenes?ver=${venta}` : null };
  });
}
