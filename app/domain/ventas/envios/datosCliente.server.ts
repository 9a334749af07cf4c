import type { LugarPostal } from '~/core/codigoPostal';
import { cambiosEntre, withEtiquetas } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { direccionCompuesta } from '~/domain/ventas/ordenes/datosEnvio';
import type { Db, Trx } from '~db/client.server';
import { enLetrasOfForm, type CampoCliente, type Escrito } from './datosCliente';
import type { DatosCliente } from './forms';
import { hasLeft, nombreAparte } from './envio';
import { readPropioOfNumero, requireViva, type OrdenPropia } from './propios.server';
import { savePropio } from './savePropio.server';

const TITULO = 'Datos del envio';
const YA_SALIO = 'Tu paquete ya tiene guía o ya salió, y sus datos ya no se pueden cambiar.';
const CANCELADA = 'La compra fue cancelada y ya no se envía.';
const SIN_ENVIO = 'Esta compra ya no necesita datos de envío.';

/** Returns why a customer's data may not change any more; null while it may. */
function motivoOf(orden: OrdenPropia | undefined): string | null {
  if (!orden) return SIN_ENVIO;
  try {
    requireViva(orden);
  } catch (error) {
    if (error instanceof NotAllowed) return CANCELADA;
    throw error;
  }
  return orden.envio && hasLeft(orden.envio) ? YA_SALIO : null;
}

/** Reads the page of a link: the form with the known data, or the data that the customer gave, to be looked at. */
export async function readDatosCliente(db: Db | Trx, numOrden: string) {
  const orden = await readPropioOfNumero(db, numOrden);
  const envio = orden?.envio ?? null;
  const motivo = motivoOf(orden);
  return {
    numOrden,
    titulo: orden?.titulo ?? '',
    motivo,
    escrito: escritoOf(envio),
    huella: orden?.huella ?? '',
    /** Who receives and where, as one reads it back; null while nobody wrote it. */
    guardado: envio?.nombreReceptor
      ? { receptor: envio.nombreReceptor, ocurre: envio.ocurre, direccion: direccionCompuesta(envio) }
      : null,
    enviado:
      motivo === YA_SALIO && envio
        ? {
            receptor: envio.nombreReceptor,
            direccion: direccionCompuesta(envio),
            ocurre: envio.ocurre,
            paqueteria: envio.paqueteria,
            guia: envio.guia,
            paqueteriaUrl: envio.paqueteriaUrl,
          }
        : null,
  };
}

/** Returns the known data of a shipment, as the form of the link holds it. */
function escritoOf(envio: OrdenPropia['envio']): Escrito {
  const { nombre, apellidos } = envio ? nombreAparte(envio) : { nombre: '', apellidos: '' };
  const de = (valor: string | null | undefined) => valor ?? '';
  return enLetrasOfForm({
    entrega: envio?.ocurre ? 'ocurre' : 'domicilio',
    nombre,
    apellidos,
    telefono: de(envio?.telefono),
    cp: de(envio?.cp),
    colonia: de(envio?.colonia),
    ciudad: de(envio?.ciudad),
    estado: de(envio?.estado),
    calle: de(envio?.calle),
    numeroE: de(envio?.numeroE),
    numeroI: de(envio?.numeroI),
    calleA: de(envio?.calleA),
    calleB: de(envio?.calleB),
    referencia: de(envio?.referencia),
  });
}

const ETIQUETAS: Record<CampoCliente, string> = {
  entrega: 'Entrega',
  nombre: 'Nombre',
  apellidos: 'Apellidos',
  telefono: 'Telefono',
  cp: 'Código postal',
  colonia: 'Colonia',
  ciudad: 'Ciudad',
  estado: 'Estado',
  calle: 'Calle',
  numeroE: 'Número exterior',
  numeroI: 'Número interior',
  calleA: 'Entre calle',
  calleB: 'Y calle',
  referencia: 'Referencia',
};
const enPalabras = (escrito: Partial<Escrito>) =>
  withEtiquetas(ETIQUETAS, {
    ...escrito,
    entrega: escrito.entrega === 'ocurre' ? 'Recoger en una sucursal' : 'Entrega a domicilio',
  });

/**
 * Keeps a customer's data. Throws NotAllowed with the reason when the sale has no shipment of ours, ended, or its package left meanwhile. Throws Stale
 * when staff, or another window, wrote since the page was opened: the page then shows the other values beside, without their author.
 */
export async function saveDatosCliente(
  trx: Trx,
  numOrden: string,
  datos: DatosCliente,
  lugar: LugarPostal | null,
): Promise<void> {
  const orden = await readPropioOfNumero(trx, numOrden);
  if (!orden) throw new NotAllowed(TITULO, SIN_ENVIO);
  const antes = motivoOf(orden);
  if (antes !== null) throw new NotAllowed(TITULO, antes);
  if (orden.huella !== datos.huella)
    throw new Stale(
      {
        cambios: cambiosEntre(enPalabras(datos), enPalabras(escritoOf(orden.envio))),
        marcas: { huella: orden.huella },
      },
      { titulo: TITULO, texto: 'Los datos del envío cambiaron mientras los escribías.' },
    );
  const { nombre, apellidos, telefono, cp, colonia, ciudad, estado } = datos;
  const casa = datos.entrega === 'domicilio' ? datos : undefined;
  await savePropio(
    trx,
    { orden: orden.id, huella: datos.huella },
    {
      ocurre: datos.entrega === 'ocurre',
      nombreReceptor: `${nombre} ${apellidos}`,
      apellidos,
      telefono,
      cp,
      colonia,
      ciudad: ciudad ?? null,
      municipio: lugar?.municipio ?? null,
      estado: estado ?? null,
      calle: casa?.calle ?? null,
      numeroE: casa?.numeroE ?? null,
      numeroI: casa?.numeroI ?? null,
      calleA: casa?.calleA ?? null,
      calleB: casa?.calleB ?? null,
      referencia: casa?.referencia ?? null,
    },
    { por: 'cliente' },
  );
}
