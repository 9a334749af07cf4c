import type { ReclamoDeVenta } from '~/domain/atencion/reclamos/reclamosDeVenta.server';
import { PLAZOS_DE_RECLAMO } from '~/domain/atencion/reclamos/reclamo';
import {
  EN_EL_PROVEEDOR,
  MUERTOS,
  PLAZOS_CON_VENTA_CANCELADA,
  PLAZOS_POR_CONFIRMAR,
  POR_CONFIRMAR,
  type EstadoDePedido,
} from '~/domain/compras/pedidos/pedido';
import { PLAZOS_DE_FACTURA } from '~/domain/facturacion/emision/porFacturar.server';
import { isViva } from '~/domain/ventas/envios/envio';
import { isPorEnviar, isPreparadaAqui, PLAZOS_ACTIVA } from '~/domain/ventas/ordenes/activas';
import { direccionCompuesta, type DatosEnvio } from '~/domain/ventas/ordenes/datosEnvio';
import { relojOf, type Plazos, type Reloj } from '~/platform/hoy/reloj';
import type { Situacion } from '~db/columns';

/** What a sale can wait for, in the order in which it is told: a day that passes, money that is being lost, then the buyer. */
export const PASOS = [
  'reclamo',
  'cancelarPedido',
  'surtir',
  'pedir',
  'confirmar',
  'folio',
  'direccion',
  'enviar',
  'guia',
  'facturar',
] as const;
export type Paso = (typeof PASOS)[number];

/**
 * One thing that a sale waits for. `pantalla` is the screen where it is seen to, with its search, and null where the panel of the sale itself has what
 * sees to it. `reloj` is null where nothing tells since when or until when.
 */
export type Espera = { paso: Paso; de: string; texto: string; reloj: Reloj | null; pantalla: string | null };

type Pedido = {
  id: string;
  folio: string;
  folioProveedor: string | null;
  estado: EstadoDePedido;
  via: string;
  proveedor: string;
  proveedorLabel: string;
  creadoEn: Date;
  venceEn: Date | null;
  descartadoEn: Date | null;
};

/** The facts of a sale that decide what it waits for. `pideFactura` tells since when its buyer, who gave tax data, waits for a factura. */
export type VentaQueEspera = {
  numOrden: string;
  clase: string;
  estatus: string;
  situacion: Situacion;
  acordada: boolean;
  fechaCreacion: Date;
  envio: (DatosEnvio & { estatus: string; propio: boolean; tipoLogistico: string | null }) | null;
  pedidos: readonly Pedido[];
  porPedir: readonly { proveedor: string; label: string }[];
  surtido: readonly unknown[];
  reclamos: readonly ReclamoDeVenta[];
  pideFactura: Date | null;
};

/** Returns what a sale waits for from us, the most urgent first. Nothing of the list is computed for the sale alone: each condition is that of its queue on Hoy. */
export function esperasOf(venta: VentaQueEspera, ahora: Date): Espera[] {
  const reloj = (desde: Date, vence: Date | null, plazos: Plazos) => relojOf({ desde, vence }, plazos, ahora);
  return [
    ...venta.reclamos.map(({ id, marketId, actualizadoEn, venceEn }): Espera => ({
      paso: 'reclamo',
      de: id,
      texto: `Nos toca contestar el reclamo ${marketId}`,
      reloj: reloj(actualizadoEn, venceEn, PLAZOS_DE_RECLAMO),
      pantalla: `reclamos?ver=${id}`,
    })),
    ...(isViva(venta) ? comprasOf(venta, reloj) : porCancelar(venta, reloj)),
    ...(isViva(venta) ? salidaOf(venta, reloj) : []),
    ...(venta.pideFactura
      ? [
          {
            paso: 'facturar' as const,
            de: venta.numOrden,
            texto: 'El comprador dio sus datos y espera su factura',
            reloj: reloj(venta.pideFactura, null, PLAZOS_DE_FACTURA),
            pantalla: `facturacion?numOrden=${encodeURIComponent(venta.numOrden)}`,
          },
        ]
      : []),
  ];
}

type DeReloj = (desde: Date, vence: Date | null, plazos: Plazos) => Reloj;
const isIn = (estados: readonly EstadoDePedido[], estado: EstadoDePedido) => estados.includes(estado);

/** The pedidos that a supplier still holds for a sale that is no more. */
const porCancelar = ({ pedidos }: VentaQueEspera, reloj: DeReloj): Espera[] =>
  pedidos
    .filter(({ estado }) => isIn(EN_EL_PROVEEDOR, estado))
    .map(({ id, folio, folioProveedor, proveedorLabel, creadoEn, venceEn }) => ({
      paso: 'cancelarPedido',
      de: id,
      texto: `La venta se cayó y ${proveedorLabel} tiene el pedido ${folioProveedor ?? folio}: cancélalo`,
      reloj: reloj(creadoEn, venceEn, PLAZOS_CON_VENTA_CANCELADA),
      pantalla: `ordenesPorConfirmar?ver=${id}`,
    }));

/** What is left to buy for a sale that we prepare. */
function comprasOf(venta: VentaQueEspera, reloj: DeReloj): Espera[] {
  if (!isPreparadaAqui(venta)) return [];
  // A pedido that ended without the goods is ordered once more: that is one thing and not two.
  const sePideDeNuevo = ({ estado, proveedor }: Pedido) =>
    isIn(MUERTOS, estado) && venta.porPedir.some((una) => una.proveedor === proveedor);
  const esperan = venta.pedidos.filter(
    (pedido) =>
      pedido.descartadoEn === null &&
      isIn(POR_CONFIRMAR, pedido.estado) &&
      pedido.estado !== 'enviando' &&
      !sePideDeNuevo(pedido),
  );
  return [
    ...(venta.surtido.length > 0
      ? [
          {
            paso: 'surtir' as const,
            de: '',
            texto: 'Hay piezas en el stock interno para esta venta',
            reloj: null,
            pantalla: null,
          },
        ]
      : []),
    ...venta.porPedir.map(({ proveedor, label }): Espera => ({
      paso: 'pedir',
      de: proveedor,
      texto: `Falta pedirla a ${label}`,
      reloj: null,
      pantalla: null,
    })),
    ...esperan.flatMap(({ id, estado, via, folioProveedor, proveedorLabel, creadoEn, venceEn }): Espera[] => {
      const base = {
        de: id,
        reloj: reloj(creadoEn, venceEn, PLAZOS_POR_CONFIRMAR),
        pantalla: `ordenesPorConfirmar?ver=${id}`,
      };
      if (estado === 'incierto')
        return [{ ...base, paso: 'confirmar', texto: `No se sabe si ${proveedorLabel} tiene el pedido` }];
      if (estado === 'solicitado' && via === 'correo')
        return folioProveedor === null
          ? [{ ...base, paso: 'folio', texto: `Falta el folio de ${proveedorLabel}` }]
          : [];
      if (isIn(MUERTOS, estado)) return [{ ...base, paso: 'confirmar', texto: `${proveedorLabel} no tomó el pedido` }];
      return [{ ...base, paso: 'confirmar', texto: `Falta confirmar el pedido a ${proveedorLabel}` }];
    }),
  ];
}

/** What is left until a sale that we prepare leaves. */
function salidaOf(venta: VentaQueEspera, reloj: DeReloj): Espera[] {
  if (!isPreparadaAqui(venta)) return [];
  const { envio, fechaCreacion } = venta;
  const edad = reloj(fechaCreacion, null, PLAZOS_ACTIVA);
  const base = { de: venta.numOrden, reloj: edad, pantalla: null };
  if (envio?.propio && !direccionCompuesta(envio))
    return [{ ...base, paso: 'direccion', texto: 'Faltan los datos de envío' }];
  if (isPorEnviar(venta))
    return [{ ...base, paso: 'enviar', texto: envio?.guia ? 'Ya tiene guía: falta que salga' : 'Falta enviarla' }];
  if (edad.tono === 'neutro') return [];
  return [
    {
      ...base,
      paso: 'guia',
      texto: venta.acordada ? 'Entrega acordada: falta entregarla' : 'Todavía no se puede enviar: falta su guía',
    },
  ];
}
