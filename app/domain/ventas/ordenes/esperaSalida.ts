import { isViva } from '~/domain/ventas/envios/envio';
import type { Espera } from '~/platform/hoy/espera';
import type { Situacion } from '~db/columns';
import { isPorEnviar, isPreparadaAqui, PLAZOS_ACTIVA, tonoActiva } from './activas';
import { direccionCompuesta, type DatosEnvio } from './datosEnvio';

/** The facts of a sale that decide what is left until it leaves. */
export type VentaQueSale = {
  numOrden: string;
  clase: string;
  estatus: string;
  situacion: Situacion;
  acordada: boolean;
  fechaCreacion: Date;
  envio: (DatosEnvio & { estatus: string; propio: boolean; tipoLogistico: string | null }) | null;
};

/** Returns what is left until a sale that we prepare leaves. The conditions are those of 'Por enviar hoy' and of 'Más de 24 h en preparación'. */
export function esperaSalida(venta: VentaQueSale, ahora: Date): Espera[] {
  if (!isViva(venta) || !isPreparadaAqui(venta)) return [];
  const { envio, fechaCreacion, acordada } = venta;
  const plazo = { desde: fechaCreacion, vence: null, plazos: PLAZOS_ACTIVA };
  const espera = (paso: string, texto: string) => [{ paso, de: venta.numOrden, texto, plazo, pantalla: null }];
  if (envio?.propio && !direccionCompuesta(envio)) return espera('direccion', 'Faltan los datos de envío');
  if (isPorEnviar(venta)) return espera('enviar', envio?.guia ? 'Ya tiene guía: falta que salga' : 'Falta enviarla');
  if (tonoActiva(venta, ahora) === undefined) return [];
  return espera('guia', acordada ? 'Entrega acordada: falta entregarla' : 'Todavía no se puede enviar: falta su guía');
}
