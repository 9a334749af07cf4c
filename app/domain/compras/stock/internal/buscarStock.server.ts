import type { Buscador } from '~/platform/search/buscador';
import { ESTADO_LABEL, parseCodigo, parseFolio, nombreOfPieza } from '../pieza';
import { findEscaneado } from '../readPiezas.server';
import { rows } from '../listStock.server';

/** Pieces by their folio, however it was heard or typed, or by the label that hangs on them. */
export const buscarStock: Buscador = {
  clase: 'stock',
  titulo: 'Stock Interno',
  pantalla: 'stockInterno',
  async find(db, { texto }) {
    if (!parseFolio(texto) && !parseCodigo(texto)) return [];
    const found = await findEscaneado(db, texto);
    if (found?.clase !== 'pieza') return [];
    const piezas = await rows(db).where('stockInterno.id', '=', found.id).execute();
    return piezas.map((pieza) => ({
      id: pieza.id,
      titulo: pieza.folio,
      detalle: [nombreOfPieza(pieza), ESTADO_LABEL[pieza.estado], pieza.proveedorLabel].filter(Boolean).join(' · '),
      fecha: pieza.creadaEn,
      a: `stockInterno?ver=${pieza.id}`,
    }));
  },
};
