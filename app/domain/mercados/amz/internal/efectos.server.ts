import type { EfectosDeMercado } from '../../efectos';
import { avisarEnvio, cancelarGuia, comprarGuia } from './efectosDeEnvio.server';
import { cambiar, cambiarMuchas, publicar } from './efectosDePublicacion.server';
import { entregarCfdi } from './efectosDeVenta.server';

/** Everything that Amazon is made to do from here. */
export const efectosAmz: EfectosDeMercado = {
  cambiar,
  cambiarMuchas,
  publicar,
  avisarEnvio,
  comprarGuia,
  cancelarGuia,
  entregarCfdi,
};
