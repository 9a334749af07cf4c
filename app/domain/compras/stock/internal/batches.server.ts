import { cuantas, type Nombres } from '~/platform/batches/batch';
import type { Accion } from '~/platform/batches/prepared.server';
import { enPesos } from '~/core/importe';
import { NotAllowed } from '~/core/errors';
import { CODIGOS_QR, ESTADO_LABEL, type EstadoDeStock, mayPass, nombreOfPieza } from '../pieza';
import { rows } from '../listStock.server';
import { lockPieza, movePieza } from '../piezas.server';

const NOMBRES: Nombres = { una: 'pieza', muchas: 'piezas', clave: 'Folio', titulo: 'Nombre' };

const look =
  (impedimentoOf: (estado: EstadoDeStock) => string | null): Accion['look'] =>
  async (trx, ids) =>
    (
      await rows(trx)
        .where('stockInterno.id', 'in', [...ids])
        .execute()
    ).map((pieza) => ({
      id: pieza.id,
      clave: pieza.folio,
      titulo: nombreOfPieza(pieza),
      importe: pieza.costo,
      visto: String(pieza.version),
      impedimento: impedimentoOf(pieza.estado),
    }));

/** Moves many pieces to one state. Each piece is checked again when its turn comes. */
const moveTo = (a: EstadoDeStock): Accion => ({
  accion: `stock.${a}`,
  boton: `Pasar a ${ESTADO_LABEL[a]}`,
  nombres: NOMBRES,
  pregunta: (n, suma) => ({
    titulo: 'Cambiar el estatus',
    texto: `¿Está seguro que desea pasar ${cuantas(n, 'pieza', 'piezas')} a ${ESTADO_LABEL[a]}?`,
    hechos: `Costaron ${enPesos(suma.toFixed(2))} en total.`,
  }),
  hecho: 'Registro actualizado de forma correcta',
  fallo: 'Error de actualización.',
  look: look((estado) => (mayPass(estado, a) ? null : `De «${ESTADO_LABEL[estado]}» no pasa a «${ESTADO_LABEL[a]}».`)),
  async lock(trx, id) {
    const pieza = await lockPieza(trx, id);
    return pieza && String(pieza.version);
  },
  async apply(trx, id, { usuarioId }) {
    const pieza = await lockPieza(trx, id);
    if (!pieza) throw new NotAllowed('Error de actualización.', 'La pieza no existe.');
    await movePieza(trx, pieza, a, { usuarioId });
    return [];
  },
});

/** One such act for each state that may be reached without a sale. */
export const estadosDeStock = (
  ['enRevision', 'disponible', 'enGarantia', 'devueltoProveedor', 'danado', 'baja'] as const
).map(moveTo);

/** Prints the QR labels of many pieces in one file. Nothing changes. */
export const codigosQr: Accion = {
  accion: CODIGOS_QR,
  boton: 'Códigos QR',
  nombres: NOMBRES,
  hecho: 'Las etiquetas están listas.',
  fallo: 'Error.',
  look: look(() => null),
  bring: () => () => Promise.resolve(),
};
