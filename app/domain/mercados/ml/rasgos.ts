import { MARKET_LABEL } from '~/core/market';
import type { PorImprimir, Rasgos, SinGuia } from '../rasgos';

const label = MARKET_LABEL.ml;

const IMPRIMIBLES = ['ready_to_print', 'printed'];
/** Substates in which Mercado Libre holds the label back. */
const TODAVIA_NO = ['buffered', 'invoice_pending', 'waiting_for_label_generation', 'regenerating'];
const ANTES = ['pending', 'handling'];

/**
 * Returns why Mercado Libre prints no label of a shipment; null when it does. The label belongs to Mercado Envíos, from the moment it is ready
 * until the package was picked up.
 */
export function sinGuiaMl({ estatus, subestatus, modo, tipoLogistico }: PorImprimir): SinGuia | null {
  const nunca = (porque: string): SinGuia => ({ espera: false, porque });
  if (modo !== 'me2') return nunca(`El envío no lleva guía de ${label}: lo mandamos nosotros.`);
  if (tipoLogistico === 'fulfillment') return nunca(`La venta sale del almacén de ${label}.`);
  if (ANTES.includes(estatus) || (subestatus !== null && TODAVIA_NO.includes(subestatus)))
    return { espera: true, porque: `${label} todavía no libera la guía.` };
  if (estatus !== 'ready_to_ship') return nunca('El paquete ya salió o su envío terminó: su guía ya no se imprime.');
  return subestatus === null || IMPRIMIBLES.includes(subestatus)
    ? null
    : nunca('La paquetería ya tiene el paquete: su guía ya no se imprime.');
}

/** Modes of a shipment whose tracking Mercado Libre takes from the seller. */
export const MODOS_AVISADOS = ['me1', 'custom'] as const;

/** Mercado Libre for people and rules that do not ask it. */
export const rasgosMl: Rasgos = {
  label,
  siglas: 'ML',
  ventaUrl: (numOrden) => `https://www.mercadolibre.com.mx/ventas/${numOrden}/detalle`,
  reclamoUrl: (marketId) => `https://www.mercadolibre.com.mx/reclamos/MLM/${marketId}/`,
  articuloUrl: (publicacionId) =>
    `https://articulo.mercadolibre.com.mx/${publicacionId.replace(/^(\D+)(\d+)$/, '$1-$2')}`,
  mensajes: true,
  sinGuia: sinGuiaMl,
  vendeGuias: false,
  avisoDeEnvio: { cuando: 'avance', modos: MODOS_AVISADOS },
  cotizaEnvio: true,
  estatusDelEnvio: true,
  publicador: 'publicadorML',
  publicaciones: {
    casilla: 'Mercado libre',
    estatus: {
      pending: { label: 'Pendiente', tono: 'neutro' },
      not_yet_active: { label: 'Aún no activa', tono: 'mal' },
      programmed: { label: 'Programada', tono: 'neutro' },
      active: { label: 'Activa', tono: 'ok' },
      paused: { label: 'Pausada', tono: 'mal' },
      closed: { label: 'Cerrada', tono: 'mal' },
      under_review: { label: 'En revisión', tono: 'aviso' },
      inactive: { label: 'Inactiva', tono: 'aviso' },
      payment_required: { label: 'Pago requerido', tono: 'aviso' },
    },
    editables: ['active', 'paused'],
    creandose: null,
    porPiezas: null,
    tituloPropio: true,
    tipos: { gold_pro: 'Premium', gold_special: 'Clásica', free: 'Gratuita' },
    publicables: ['gold_special', 'gold_pro'],
    editarUrl: ({ clave }) => `https://www.mercadolibre.com.mx/syi/core/modify?itemId=${encodeURIComponent(clave)}`,
  },
};
