import { sql } from 'kysely';
import { type Market, MARKETS } from '~/core/market';
import type { Db, Trx } from '~db/client.server';
import { sinGuia } from './guia';
import { PENDIENTE } from './listEnvios.server';

/** Shipments that one look reads at most. */
const MAX = 500;

/** A shipment that can be packed now: its label is here, or its marketplace prints one. */
type PorSalir = { id: string; numero: string; titulo: string; desde: Date; conGuia: boolean };

type Fila = PorSalir & {
  market: Market;
  estatus: string;
  subestatus: string | null;
  modo: string | null;
  tipoLogistico: string | null;
};

/** Reads shipments that have not left, with a living sale, the oldest sale first. `solo` is one shipment. */
async function readPorSalir(db: Db | Trx, solo: string | null): Promise<Fila[]> {
  const { rows } = await sql<Fila>`
    select e.id, e.market, e.estatus, e.subestatus, e.modo, e.tipo_logistico,
      min(o.num_orden) as numero, (array_agg(o.titulo order by o.market_id))[1] as titulo, min(o.fecha_creacion) as desde,
      exists (select from guia g where g.envio_id = e.id and g.anulada_en is null and g.archivo_id is not null) as con_guia
    from envio e join orden o on o.envio_id = e.id
    where e.id in (select id from envio where ${PENDIENTE} and (${solo}::uuid is null or id = ${solo}::uuid))
      and e.estatus in ('pending', 'handling', 'ready_to_ship', 'enPreparacion')
      and e.tipo_logistico is distinct from 'fulfillment'
      and o.clase not in ('cancelada', 'devuelta')
    group by e.id
    order by desde, e.id
    limit ${MAX}`.execute(db);
  return rows.filter((envio) => envio.conGuia || sinGuia(envio.market, envio) === null);
}

const inBreve = ({ id, numero, titulo, desde, conGuia }: Fila): PorSalir => ({ id, numero, titulo, desde, conGuia });

/** Returns the shipments that can be packed now, the oldest sale first. */
export const listPorSalir = async (db: Db | Trx): Promise<PorSalir[]> => (await readPorSalir(db, null)).map(inBreve);

/** Returns one shipment that can be packed now; undefined when it left, was cancelled, or has no label yet. */
export async function findPorSalir(db: Db | Trx, envioId: string): Promise<PorSalir | undefined> {
  const [envio] = await readPorSalir(db, envioId);
  return envio && inBreve(envio);
}

/** Returns the shipment that a text names: by the number of a sale inside, its own number, or its tracking number. Undefined when there is none. */
export async function findEnvio(db: Db | Trx, texto: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select envio_id as id from orden where (num_orden = ${texto} or (market in (${sql.join(MARKETS)}) and market_id = ${texto})) and envio_id is not null
    union all select id from envio where market in (${sql.join(MARKETS)}) and market_id = ${texto}
    union all select id from envio where guia = ${texto}
    limit 1`.execute(db);
  return rows[0]?.id;
}
