import { enUnaLinea } from '~/core/antesYAhora';
import { withParams } from '~/core/list';
import { DESHACER, wordsOf } from '~/core/submission';
import { defineRows, outcome } from '~/http/actions.server';
import { lookUpLugar } from '~/platform/direccion/codigosPostales.server';
import { createEnlaceDatosEnvio } from '~/domain/facturacion/enlaces/enlaces.server';
import { CostoForm, OcurreEscrito, OcurreForm, PaqueteriaForm } from '~/domain/ventas/envios/forms';
import { requirePropio } from '~/domain/ventas/envios/propios.server';
import { saveCosto, saveOcurre, savePaqueteria } from '~/domain/ventas/envios/savePropio.server';
import { afectadosOfCosto } from '~/domain/ventas/ordenes/afectados.server';
import { UnaOrden } from '~/domain/ventas/ordenes/ordenForm';
import { askCorrectCosto } from '~/routes/ventas/ordenes/questions';

const AVISO = 'Datos actualizados correctamente';
const cerrado = (_form: unknown, { search }: { search: string }) =>
  withParams(search, { costo: null, paqueteria: null });

/** The actions of the dialogs of 'Cotizar envios'. The carrier's is that of the lists of shipments too. */
export const propioActions = defineRows({
  costo: {
    schema: CostoForm,
    right: 'ordenes.operar',
    // A first cost is saved at once; a second one replaces a figure that reports have counted, so the server asks.
    confirm: async (db, { orden, costo }) => {
      const { envio } = await requirePropio(db, orden);
      if (!envio?.costo || envio.costo.isZero()) return null;
      const antes = { costo: envio.costo.toFixed(2), cotizado: envio.cotizado?.toFixed(2) ?? null };
      return askCorrectCosto(antes, { costo, cotizado: costo }, await afectadosOfCosto(db, orden));
    },
    commit: (trx, costo, usuario) => saveCosto(trx, costo, usuario.id),
    to: cerrado,
    aviso: AVISO,
  },
  ocurre: {
    schema: OcurreForm,
    right: 'ordenes.operar',
    // The postal code is looked up once more: what was written before it was changed is nobody's address.
    async run(db, ocurre, usuario) {
      const { direccion } = ocurre.cp === undefined ? { direccion: {} } : await lookUpLugar(db, ocurre);
      const { colonia = ocurre.colonia, ...lugar } = direccion as Partial<typeof ocurre>;
      const cierto = { ...ocurre, ...lugar, colonia: colonia || ocurre.colonia };
      await db.transaction().execute((trx) => saveOcurre(trx, cierto, usuario.id));
    },
    to: cerrado,
    aviso: AVISO,
    beside: async (db, typed) => {
      const cp = typed.get('cp');
      return typeof cp === 'string' && cp !== '' ? (await lookUpLugar(db, { cp })).lugar : undefined;
    },
  },
  buscarCp: {
    schema: OcurreEscrito,
    right: 'ordenes.operar',
    run: async (db, escrito) => {
      const { lugar, direccion } = await lookUpLugar(db, escrito);
      return outcome({ resultado: lugar, valores: { ...escrito, ...direccion } });
    },
  },
  paqueteria: {
    schema: PaqueteriaForm,
    right: 'ordenes.operar',
    commit: async (trx, paqueteria, usuario) => {
      const movida = await savePaqueteria(trx, paqueteria, usuario.id);
      if (!movida) return;
      const { antes, ahora, deshacer } = movida;
      return outcome({
        aviso: `${AVISO}. ${enUnaLinea([{ campo: 'Guía', antes, ahora }])}`,
        ...(deshacer && {
          deshacer: wordsOf({
            formulario: DESHACER,
            intent: 'paqueteria',
            ...{ ...deshacer, paqueteriaUrl: deshacer.paqueteriaUrl ?? '' },
          }),
        }),
      });
    },
    to: cerrado,
    aviso: AVISO,
  },
  enlaceEnvio: {
    schema: UnaOrden,
    right: 'ordenes.operar',
    run: async (db, { orden }, usuario) => {
      const { url } = await createEnlaceDatosEnvio(db, orden, usuario.id);
      return outcome({ resultado: { url } });
    },
  },
});
