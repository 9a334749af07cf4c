import { ESTATUS_PROPIOS, isViva, PAQUETERIAS } from '~/domain/ventas/envios/envio';
import type { Celda } from '~/ui/lista/celda';
import type { FilaEnvio } from './columns';

/**
 * Returns the tracking number of a package that we send ourselves, as it is changed in its cell; null where it is only read: a package of the marketplace or of
 * a sale that ended, one without a carrier of the list or with a state of the marketplace's, and one whose tracking link a person wrote, since that link may
 * hold the number.
 */
export function celdaOfGuia(envio: FilaEnvio): Celda | null {
  const { orden, huella, guia, paqueteria, paqueteriaUrl, estatus } = envio;
  if (orden === null || huella === null || !isViva(orden) || paqueteriaUrl !== null) return null;
  const conocida = PAQUETERIAS.find((una) => una === paqueteria);
  if (!conocida || !ESTATUS_PROPIOS.some(({ value }) => value === estatus)) return null;
  return {
    nombre: 'Número de guía',
    campo: 'guia',
    tipo: 'texto',
    valor: guia ?? '',
    envia: { intent: 'paqueteria', orden: orden.id, huella, estatus, paqueteria: conocida },
  };
}
