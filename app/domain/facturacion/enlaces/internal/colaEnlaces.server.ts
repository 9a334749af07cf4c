import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countCosas } from '~/platform/hoy/countCosas.server';
import { DIA } from '~/platform/hoy/reloj';
import { listMensajesSinSalir } from '../enlaceEnvios.server';
import type { Db } from '~db/client.server';

const PLAZOS = { aviso: DIA, mal: 3 * DIA };
/** Hours a customer has to answer before the link is work for somebody. */
const HORAS_DE_RESPUESTA = 24;
const MOST = 200;

/** The queue of links whose message did not leave, and of links that a person made and the customer did not open, while the sale still needs the answer. */
export const enlacesSinRespuesta: Cola = {
  clave: 'enlacesSinRespuesta',
  titulo: 'Enlaces sin respuesta',
  icono: 'enlace',
  pantallas: ['enlaces'],
  ver: 'Abrir los enlaces',
  plazos: PLAZOS,
  necesita: 'ventas',
  async mira(db, mirada) {
    const [sinSalir, sinAbrir] = await Promise.all([listMensajesSinSalir(db), listSinAbrir(db)]);
    return countCosas(
      [
        ...sinSalir.map(({ numOrden, fecha, motivo }) => ({
          id: `mensaje:${numOrden}:${fecha.toISOString()}`,
          titulo: 'El mensaje con el enlace no salió',
          detalle: [numOrden, motivo].filter(Boolean).join(' · '),
          a: `enlaces?numOrden=${numOrden}`,
          desde: fecha,
          vence: null,
        })),
        ...sinAbrir.map(({ id, numOrden, ordenId, proposito, creadoEn }) => ({
          id,
          titulo: proposito === 'datosEnvio' ? 'El cliente no da sus datos de envío' : 'El cliente no ha facturado',
          detalle: numOrden,
          a:
            proposito === 'datosEnvio'
              ? `cotizarEnvios?q=${numOrden}&enlace=${ordenId}`
              : `enlaces?numOrden=${numOrden}`,
          desde: creadoEn,
          vence: null,
        })),
      ],
      PLAZOS,
      mirada,
    );
  },
};

type SinAbrir = { id: string; numOrden: string; ordenId: string; proposito: string; creadoEn: Date };

/** The last unopened link of each sale and purpose. */
async function listSinAbrir(db: Db): Promise<SinAbrir[]> {
  const { rows } = await sql<SinAbrir>`
    select l.id, l.num_orden, o.id as orden_id, l.proposito, l.creado_en
    from enlace l cross join lateral (
      select id, estatus, clase from orden
      where num_orden = l.num_orden and market = l.market
      order by market_id limit 1
    ) o
    where l.revocado_en is null and l.usado_en is null and l.origen = 'personal' and l.vence_en > now()
      and l.creado_en < now() - make_interval(hours => ${HORAS_DE_RESPUESTA}) and o.clase in ('normal', 'invalida')
      and not exists (
        select from enlace n
        where n.num_orden = l.num_orden and n.market = l.market
          and n.proposito = l.proposito and n.creado_en > l.creado_en
      )
      and case l.proposito
        when 'datosEnvio' then o.estatus = 'enPreparacion'
        else not exists (select from fiscal_claim c where c.orden_id = o.id and c.kind = 'individual') end
    order by l.creado_en limit ${MOST}`.execute(db);
  return rows;
}
