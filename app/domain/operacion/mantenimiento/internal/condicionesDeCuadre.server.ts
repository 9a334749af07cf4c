import { sql } from 'kysely';
import { ultimoCuadre } from '~/domain/compras/stock/cuadre.server';
import { ultimoCuadreDeLibros } from '~/domain/ventas/libro/cuadreLibro.server';
import type { Db } from '~db/client.server';
import type { Condicion } from './condicion';

/* Figures that do not add up, as the nightly comparisons left them. */

/** A nightly comparison that is older than this did not run. */
const COMPARED_HOURS = 50;

/** Throws where the last nightly comparison is too old to tell anything; a new installation has none yet. */
async function requireCompared(db: Db, table: 'stock_cuadre' | 'libro_cuadre'): Promise<void> {
  const { rows } = await sql<{ vieja: boolean | null }>`
    select max(en) < now() - make_interval(hours => ${COMPARED_HOURS}) as vieja from ${sql.table(table)}`.execute(db);
  if (rows[0]?.vieja) throw new Error(`hace más de ${COMPARED_HOURS} horas que no se compara`);
}

/** Movements of stock do not add up to where their piece is, so something wrote past them. */
export const stockDescuadrado: Condicion = {
  clave: 'stockDescuadrado',
  async mira(db) {
    await requireCompared(db, 'stock_cuadre');
    const cuadre = await ultimoCuadre(db);
    if (!cuadre || cuadre.descuadradas === 0) return null;
    return {
      nivel: 'grave',
      texto: `Los movimientos de ${cuadre.descuadradas} ${cuadre.descuadradas === 1 ? 'pieza' : 'piezas'} de stock no suman su estatus.`,
      remedio: `Revisa ${cuadre.folios.join(', ')}.`,
      pantalla: 'stockInterno',
    };
  },
};

/** The ledger of a sale does not hold, so a figure that people decide by may be wrong. */
export const libroDescuadrado: Condicion = {
  clave: 'libroDescuadrado',
  async mira(db) {
    await requireCompared(db, 'libro_cuadre');
    const cuadre = await ultimoCuadreDeLibros(db);
    if (!cuadre || cuadre.descuadradas === 0) return null;
    return {
      nivel: 'grave',
      texto: `El libro de ${cuadre.descuadradas} ${cuadre.descuadradas === 1 ? 'venta' : 'ventas'} de ${cuadre.vistas} no cuadra con lo que se sabe de ${cuadre.descuadradas === 1 ? 'ella' : 'ellas'}.`,
      remedio: `Lo que queda de ${cuadre.ventas.join(', ')} puede no ser cierto: avísale a quien mantiene el sistema.`,
      pantalla: 'llenarReporte',
    };
  },
};
