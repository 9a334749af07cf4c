import { z } from 'zod';
import { Money } from '~/core/money';
import type { EfectosDeMercado } from '~/domain/mercados/efectos';
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
    cupon: undefined,
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

export const fuenteDeLista = (ventas: readonly VentaLeida[], tienda?: Tienda): Fuente => ({
  market: 'amz',
  source: 'amazon',
  kinds: ['sweep'],
  personales: { venta: ['recipient'], envio: ['shipTo'] },
  link: () => Promise.resolve({ account: 'lista', status: 'linked', detail: null }),
  isPaused: () => Promise.resolve(false),
  open: () => mercadoDeLista(ventas),
  ...(tienda && { efectos: efectosDeLista(tienda) }),
});

/** What the marketplace of a list holds: its listings by their sku, and the answers to its questions. */
export type Tienda = { anuncios: Map<string, { precio: string; stock: number }>; respuestas: Map<string, string> };

/** The acts of that marketplace: each writes in the list, and is found there again. */
export function efectosDeLista({ anuncios, respuestas }: Tienda): EfectosDeMercado {
  const comun = { label: 'Tienda de lista', connection: 'amazon', unclear: 'find' } as const;
  const dichaOf = (clave: string) => ({ ...anuncios.get(clave)!, titulo: 'Cámara', estatus: 'DONE', subestatus: [] });
  return {
    cambiar: {
      ...comun,
      type: 'lista.publicacion',
      evidence: z.object({}),
      async send({ request: { clave, precio, stock } }) {
        const antes = anuncios.get(clave)!;
        anuncios.set(clave, { precio: precio ?? antes.precio, stock: stock ?? antes.stock });
        return {};
      },
      confirm: async ({ request: { clave } }) => dichaOf(clave),
    },
    publicar: {
      ...comun,
      type: 'lista.publicar',
      porTipo: false,
      evidence: z.object({}),
      summary: ({ titulo }) => ({ que: titulo }),
      async send({ request: { sku, cuerpo } }) {
        anuncios.set(sku, cuerpo as { precio: string; stock: number });
        return {};
      },
      async confirm({ request: { sku } }) {
        const { subestatus: _, ...mostrada } = dichaOf(sku);
        return { clave: sku, dicho: sku, mostrada: { ...mostrada, marketId: sku, categoriaId: null, link: null } };
      },
    },
    responder: {
      ...comun,
      type: 'lista.responder',
      evidence: z.object({ texto: z.string() }),
      send: async ({ request: { marketId, texto } }) => (respuestas.set(marketId, texto), { texto }),
      confirm: async (_call, evidence) => evidence as { texto: string },
    },
  };
}
