import { sql } from 'kysely';
import type { Market } from '~/core/market';
import type { Rechazo } from '~/core/rechazo';
import { readRechazos } from '~/platform/effects/rechazos.server';
import { lastRefused, livingAbout } from '~/platform/effects/subjects.server';
import type { Medidas } from '~/domain/mercados/guias';
import { MERCADOS } from '~/domain/mercados/mercados';
import { fuenteOf } from '~/domain/mercados/registro.server';
import type { Db } from '~db/client.server';
import type { EffectState } from '~db/columns';
import { compras as effects } from './buyGuia.server';
import { cancelaciones } from './cancelGuia.server';
import { contenidoOf, type GuiaComprada, whyNotBuy, listCompradas, medidasOf } from './guiaComprada.server';
import { readPropio } from './propios.server';
import { readRemitente } from './remitente.server';

/** The labels that a marketplace sells for a sale, as its panel shows them. */
export type GuiaVista = {
  /** The purchases, the newest first; at most the first stands. */
  compras: GuiaComprada[];
  enCurso: { que: 'compra' | 'cancelacion'; estado: EffectState } | null;
  /** Why the last purchase was refused; null once something came after it. */
  rechazo: string | null;
  /** The same no as the marketplace gave it; null when it was refused here before anything left. */
  deAlla: Rechazo | null;
  /** Why no label can be bought; null when one can. */
  impide: string | null;
  remitente: boolean;
  /** Measures of the last package with the same articles. */
  medidas: Medidas | null;
  /** Suppliers that have the label that stands. */
  mandadaA: string[];
};

/** Reads the labels of a sale for its panel; null where the marketplace sells none for it. */
export async function viewGuia(db: Db, { id, market }: { id: string; market: Market }): Promise<GuiaVista | null> {
  if (!MERCADOS[market].vendeGuias) return null;
  const orden = await readPropio(db, id);
  if (!orden?.envioId) return null;
  const envio = ['envio', orden.envioId] as const;
  const [compras, [compra], [cancelacion], rechazada, negados, remitente, contenido, mandadaA] = await Promise.all([
    listCompradas(db, orden.envioId),
    livingAbout(db, envio, effects.require(market)),
    livingAbout(db, envio, cancelaciones.require(market)),
    lastRefused(db, envio, effects.require(market)),
    readRechazos(db, [envio]),
    readRemitente(db, fuenteOf(market).source),
    contenidoOf(db, orden.envioId),
    mandadaOf(db, orden.envioId),
  ]);
  return {
    compras,
    enCurso: compra
      ? { que: 'compra', estado: compra.state }
      : cancelacion
        ? { que: 'cancelacion', estado: cancelacion.state }
        : null,
    rechazo: rechazada?.reason ?? null,
    deAlla: negados.find(({ type }) => type === effects.require(market).type)?.rechazo ?? null,
    impide: whyNotBuy(orden, compras),
    remitente: remitente !== undefined,
    medidas: (await medidasOf(db, contenido)) ?? null,
    mandadaA,
  };
}

async function mandadaOf(db: Db, envioId: string): Promise<string[]> {
  const { rows } = await sql<{ label: string }>`
    select distinct coalesce(pr.label, p.proveedor) as label
    from pedido p join pedido_linea l on l.pedido_id = p.id join orden o on o.id = l.orden_id
      left join proveedor pr on pr.value = p.proveedor
    where o.envio_id = ${envioId} and p.guia_enviada_en is not null order by 1`.execute(db);
  return rows.map(({ label }) => label);
}
