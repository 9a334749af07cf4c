import { cuenta } from '~/core/cuenta';
import type { Question } from '~/core/fieldRules';
import type { Market } from '~/core/market';
import { isViva } from '~/domain/envios/envio';
import { MERCADOS } from '~/domain/mercados/mercados';
import { mayBeEntregada } from '~/domain/ordenes/activas';
import { estatusLabel } from '~/domain/ordenes/estatus';
import { destinatariosDe, type Directorio } from '~/domain/proveedores/directorio';
import type { AccionLote } from '~db/columns';

/** What can be done to many sales at once. */
export const ACCIONES = ['correo', 'enlace', 'entregar'] as const satisfies AccionLote[];
export type Accion = AccionLote;

/** More than these are not chosen one by one; more than those are not done in one go. */
export const MAX_ELEGIDAS = 500;
export const MAX_LOTE = 2_000;

/** In the singular for one, in the plural for the rest. */
const cuantas = (n: number, una: string, muchas: string) => (n === 1 ? `1 ${una}` : `${cuenta(n)} ${muchas}`);

export const ACCION: Record<
  Accion,
  { boton: string; pregunta: (n: number) => Question; hecho: string; fallo: string }
> = {
  correo: {
    boton: 'Correo al proveedor',
    pregunta: (n) => ({
      titulo: 'Enviar correo',
      texto: '¿Está seguro que desea enviar el correo?',
      hechos: `Se escribe a los proveedores de ${cuantas(n, 'orden', 'ordenes')}.`,
    }),
    hecho: 'Se envio el correo.',
    fallo: 'Error al enviar el correo.',
  },
  enlace: {
    boton: 'Enviar link al cliente',
    pregunta: (n) => ({
      titulo: 'Enviar link',
      texto: '¿Está seguro que desea enviar el link al cliente?',
      hechos: `Lo ${n === 1 ? 'recibe 1 comprador' : `reciben los compradores de ${cuenta(n)} ventas`} como mensaje.`,
    }),
    hecho: 'Se envio el link al cliente.',
    fallo: 'Error al enviar el link.',
  },
  entregar: {
    boton: 'Cambiar a Entregado',
    pregunta: (n) => ({
      titulo: 'Cambio de estatus',
      texto: '¿Está seguro que desea cambiar el estatus de la orden a Entregado?',
      hechos: `Cambia el estatus de ${cuantas(n, 'orden', 'ordenes')}.`,
    }),
    hecho: 'Se realizo el cambio de estatus.',
    fallo: 'Error al realizar el cambio de estatus.',
  },
};

type Venta = Parameters<typeof isViva>[0] &
  Parameters<typeof mayBeEntregada>[0] & {
    market: Market;
    envio: string | null;
    reclamada: string | null;
    meliResale: boolean;
    proveedores: (string | null)[];
  };

/** Why something cannot be done to a sale as it stands; null when it can. */
export function impedimentoDe(accion: Accion, venta: Venta, directorio: Directorio, ahora: Date): string | null {
  switch (accion) {
    case 'entregar':
      if (venta.estatus !== 'enPreparacion') return `La orden está en estatus ${estatusLabel(venta.estatus)}.`;
      return mayBeEntregada(venta, ahora) ? null : 'La orden todavía no cumple 48 horas en preparación.';
    case 'correo': {
      if (venta.envio === null) return 'La orden no tiene un envío.';
      if (!isViva(venta)) return 'La orden fue cancelada o devuelta: al proveedor no se le escribe por ella.';
      const destinatarios = destinatariosDe(directorio, venta.proveedores);
      if (destinatarios.length === 0) return 'Los artículos de la orden no son de ningún proveedor del catálogo.';
      const sinCorreo = destinatarios.find(({ emails }) => emails.length === 0);
      return sinCorreo ? `${sinCorreo.label} no tiene agentes activos ni un correo.` : null;
    }
    case 'enlace':
      if (!MERCADOS[venta.market].mensajes) return 'Solo las ventas de Mercado Libre reciben mensajes desde aquí.';
      if (venta.meliResale) return 'Esta venta la factura Mercado Libre y aquí no se factura.';
      if (venta.clase === 'cancelada' || venta.clase === 'devuelta') return 'La orden fue cancelada o devuelta.';
      return venta.reclamada === null ? null : 'La venta ya está facturada o en proceso de facturarse.';
  }
}

/** Of two orders of one cart, the second says so: the buyer reads one message. */
export const MISMA_VENTA = 'Va con otra orden del mismo carrito.';
export const OTRA_PERSONA = 'Otra persona modificó este registro. Vuelve a cargarlo.';
