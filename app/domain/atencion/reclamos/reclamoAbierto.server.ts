import { z } from 'zod';
import type { Market } from '~/core/market';
import { effectsAbout, livingAbout } from '~/platform/effects/subjects.server';
import type {
  AccionDeReclamo,
  CambioDeReclamo,
  DevolucionDeReclamo,
  MensajeDeReclamo,
  MotivoDeObjecion,
} from '~/domain/mercados/atencion';
import { detail } from '~/domain/mercados/detail';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { LIVE_STATES } from '~/platform/effects/effects.server';
import type { Db } from '~db/client.server';
import { PRODUCTO_DE_VENTA } from './internal/producto.server';
import { mensajesDeReclamo } from './actuarEnReclamo.server';

type Oferta = { monto: string; porcentaje: number };
type Resolucion = { motivo: string | null; fecha: string | null; favorece?: string[]; cerro: string | null };
type Jugador = { rol: string; tipo: string | null; usuario: string | null };

/** Returns a claim as its panel shows it; undefined when no claim has that id. */
export async function openReclamo(db: Db, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const reclamo = await db
    .selectFrom('reclamo')
    .leftJoin('orden', (on) =>
      on.onRef('orden.market', '=', 'reclamo.market').onRef('orden.marketId', '=', 'reclamo.ordenMarketId'),
    )
    .selectAll('reclamo')
    .select([
      'orden.id as ordenId',
      'orden.numOrden',
      'orden.titulo as producto',
      'orden.pagado',
      PRODUCTO_DE_VENTA.as('productoId'),
    ])
    .where('reclamo.id', '=', id)
    .executeTakeFirst();
  if (!reclamo) return undefined;
  const mensaje = mensajesDeReclamo.of(reclamo.market);
  const [enCamino, escritos] = await Promise.all([
    effectsAbout(db, ['reclamo', id])
      .where('effect.state', 'in', LIVE_STATES)
      .leftJoin('usuario', 'usuario.id', 'effect.usuarioId')
      .select(['effect.id', 'effect.type', 'effect.state', 'usuario.nombre as quien'])
      .execute(),
    mensaje ? livingAbout(db, ['reclamo', id], mensaje) : [],
  ]);
  const textos = new Map(escritos.map(({ id, request }) => [id, request.texto]));
  const cambios = await nombrados(db, reclamo.market, reclamo.cambios as CambioDeReclamo[]);
  const { datos: _datos, busqueda: _busqueda, ...resto } = reclamo;
  // Written by us, from what was read and understood.
  return {
    ...resto,
    acciones: reclamo.acciones as AccionDeReclamo[],
    jugadores: reclamo.jugadores as Jugador[],
    mensajes: reclamo.mensajes as MensajeDeReclamo[],
    devoluciones: reclamo.devoluciones as DevolucionDeReclamo[],
    cambios,
    ofertas: reclamo.ofertas as Oferta[],
    resolucion: reclamo.resolucion as Resolucion | null,
    /** With the words of a message: who writes at the same time reads them beside their own. */
    enCamino: enCamino.map(({ id, type, state, quien }) => ({ id, type, state, quien, texto: textos.get(id) ?? null })),
    ahora: new Date(),
  };
}

/** Returns the swaps of a claim with the titles of their listings, and with our rows of the orders that they made. */
async function nombrados(db: Db, market: Market, cambios: readonly CambioDeReclamo[]) {
  const claves = cambios.flatMap(({ articulos }) => articulos.map(({ publicacionId }) => publicacionId));
  const hechas = cambios.flatMap(({ ordenes }) => ordenes);
  const [publicaciones, ordenes] = await Promise.all([
    claves.length === 0
      ? []
      : db
          .selectFrom('publicacion')
          .select(['clave', 'titulo'])
          .where('market', '=', market)
          .where('clave', 'in', claves)
          .execute(),
    hechas.length === 0
      ? []
      : db
          .selectFrom('orden')
          .select(['id', 'marketId'])
          .where('market', '=', market)
          .where('marketId', 'in', hechas)
          .execute(),
  ]);
  const titulos = new Map(publicaciones.map(({ clave, titulo }) => [clave, titulo]));
  const ids = new Map(ordenes.map(({ marketId, id }) => [marketId, id]));
  return cambios.map((cambio) => ({
    ...cambio,
    articulos: cambio.articulos.map((articulo) => ({
      ...articulo,
      titulo: titulos.get(articulo.publicacionId) ?? null,
    })),
    ordenes: cambio.ordenes.map((marketId) => ({ marketId, id: ids.get(marketId) ?? null })),
  }));
}

/** Somebody waits at a page. */
const WAITS_MS = 4_000;

/** Reads the reasons for which the return of a claim may be objected to. `fallo` says why they could not be read. */
export async function fetchMotivosDeObjecion(
  db: Db,
  { market, marketId }: { market: Market; marketId: string },
): Promise<{ motivos: MotivoDeObjecion[]; fallo: string | null }> {
  const sinLeer: string[] = [];
  const { atencion } = fuenteOf(market).open(db, { timeoutMs: WAITS_MS });
  const motivos = await detail(async () => (await atencion?.readMotivosDeObjecion(marketId)) ?? [], 'motivos', sinLeer);
  return { motivos: motivos ?? [], fallo: sinLeer[0] ?? null };
}
