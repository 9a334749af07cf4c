import { Money } from '~/core/money';
import type { Fuente, Mercado } from '~/domain/mercados/mercado';
import type { VentaLeida } from '~/domain/mercados/venta';

/** A sale of one articulo, paid, as any marketplace may tell it. */
export function ventaLeida(marketId: string, precio: string, changes: Partial<VentaLeida> = {}): VentaLeida {
  const importe = Money.of(precio);
  const fecha = new Date(Date.now() - 3_600_000);
  const articulo = { posicion: 0, itemId: null, nombre: 'Cámara IP', sku: 'AMS|1|syscom|DS-2CD', cantidad: 1 };
  const pago = { marketId: `p-${marketId}`, origen: 'orden', concepto: 'venta', situacion: 'aprobado' } as const;
  return {
    marketId,
    numOrden: marketId,
    packId: null,
    fechaCreacion: fecha,
    fechaCierre: fecha,
    version: fecha,
    situacion: 'pagada',
    marketStatus: 'SHIPPED',
    tags: [],
    facturaElMercado: false,
    total: null,
    titulo: articulo.nombre,
    articulos: [{ ...articulo, importe, precioUnitario: importe, comision: Money.zero }],
    pagos: [
      {
        ...pago,
        estatus: 'paid',
        medio: 'card',
        metodo: null,
        formaPago: '04',
        importe,
        envio: Money.zero,
        devuelto: Money.zero,
        aprobadoEn: fecha,
        modificadoEn: fecha,
      },
    ],
    comprador: { id: null, nombre: 'Comprador', fiscalId: null },
    envioId: null,
    envios: [],
    propioSinEnvio: false,
    acordada: false,
    cargos: undefined,
    pagadoAparte: null,
    sinLeer: [],
    falta: { documento: false, envio: false, retencion: false },
    mirarEn: null,
    mirarCargosEn: null,
    documento: { marketId },
    ...changes,
  };
}

/** A marketplace that is an array of sales. */
export function mercadoDeLista(ventas: readonly VentaLeida[]): Mercado {
  return {
    async *changed({ from, to }) {
      await Promise.resolve();
      yield ventas.filter(({ version }) => version >= from && version < to);
      return [];
    },
    readVenta: (id) => Promise.resolve(ventas.find(({ marketId }) => marketId === id) ?? null),
    findNumero: (numero) =>
      Promise.resolve(ventas.filter(({ numOrden }) => numOrden === numero).map(({ marketId }) => marketId)),
  };
}

export const fuenteDeLista = (ventas: readonly VentaLeida[]): Fuente => ({
  market: 'amz',
  source: 'amazon',
  kinds: ['sweep'],
  personales: { venta: ['recipient'], envio: ['shipTo'] },
  link: () => Promise.resolve({ account: 'lista', status: 'linked', detail: null }),
  isPaused: () => Promise.resolve(false),
  open: () => mercadoDeLista(ventas),
});
