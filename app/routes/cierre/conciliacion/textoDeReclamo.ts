import { formatFecha } from '~/ui/Fecha';
import { formatPesos } from '~/ui/Pesos';

type Atraso = {
  numOrden: string;
  fecha: string;
  libera: string | null;
  porLiberar: string;
  estimado: boolean;
  atrasada: boolean;
};

/** Returns the text with which a marketplace is asked for the money of a sale that it should have released; null while its day has not passed. */
export function textoDeReclamo({ numOrden, fecha, libera, porLiberar, estimado, atrasada }: Atraso): string | null {
  if (!atrasada || libera === null) return null;
  const dia = (instante: string) => formatFecha(instante, { hora: false });
  return `La venta ${numOrden} del ${dia(fecha)} debía liberarse el ${dia(libera)} por ${estimado ? 'unos ' : ''}${formatPesos(porLiberar)} y ningún reporte de liquidación la trae. ¿Cuándo se deposita, o por qué se retiene?`;
}
