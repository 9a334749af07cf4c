import type { EfectosDeMercado } from '../../efectos';
import { bloquear, escribirEnReclamo, resolverReclamo, responder } from './efectosDeAtencion.server';
import { avisarEnvio, imprimirGuia } from './efectosDeEnvio.server';
import { cambiar, moverCategoria, publicar } from './efectosDePublicacion.server';
import { excluirDePromociones } from './efectosDePromocion.server';
import { entregarCfdi, escribirEnVenta } from './efectosDeVenta.server';

/** Everything that Mercado Libre is made to do from here. */
export const efectosMl: EfectosDeMercado = {
  cambiar,
  excluirDePromociones,
  publicar,
  moverCategoria,
  avisarEnvio,
  imprimirGuia,
  entregarCfdi,
  escribirEnVenta,
  responder,
  bloquear,
  escribirEnReclamo,
  resolverReclamo,
};
