import { isViva } from '~/domain/ventas/envios/envio';
import { isPreparadaAqui } from '~/domain/ventas/ordenes/activas';
import type { Espera } from '~/platform/hoy/espera';
import type { Situacion } from '~db/columns';
import { EN_EL_PROVEEDOR, MUERTOS, POR_CONFIRMAR, type EstadoDePedido } from '../pedido';
import { PLAZOS_CON_VENTA_CANCELADA, PLAZOS_POR_CONFIRMAR, SIN_FOLIO } from './plazos';

type Pedido = {
  id: string;
  folio: string;
  folioProveedor: string | null;
  estado: EstadoDePedido;
  via: string;
  proveedor: string;
  proveedorLabel: string;
  creadoEn: Date;
  solicitadoEn: Date | null;
  venceEn: Date | null;
  descartadoEn: Date | null;
};

/** The facts of a sale that decide what its purchase waits for. */
export type VentaQueSeCompra = {
  clase: string;
  estatus: string;
  situacion: Situacion;
  /** A person decided that its money is ours though it was not fulfilled. */
  conservada: boolean;
  /** Since when the sale is as it is now. */
  cambioEn: Date;
  envio: { tipoLogistico: string | null } | null;
  pedidos: readonly Pedido[];
  porPedir: readonly { proveedor: string; label: string }[];
  surtido: readonly unknown[];
};

const isIn = (estados: readonly EstadoDePedido[], estado: EstadoDePedido) => estados.includes(estado);

/** Returns what is left to buy for a sale, or to take back from the suppliers of a sale that is no more. The conditions are those of the queues on Hoy. */
export function esperanPedidos(venta: VentaQueSeCompra): Espera[] {
  if (!isViva(venta) || (venta.situacion === 'devuelta' && !venta.conservada)) return porCancelar(venta);
  // It was not fulfilled and its money is ours: what was bought for it stays bought, and nothing more is.
  if (venta.situacion === 'devuelta') return [];
  return isPreparadaAqui(venta) ? porComprar(venta) : [];
}

const porCancelar = ({ pedidos, cambioEn }: VentaQueSeCompra): Espera[] =>
  pedidos
    .filter(({ estado }) => isIn(EN_EL_PROVEEDOR, estado))
    .map(({ id, folio, folioProveedor, proveedorLabel, venceEn }) => ({
      paso: 'cancelarPedido',
      de: id,
      texto: `La venta se cayó y ${proveedorLabel} tiene el pedido ${folioProveedor ?? folio}: cancélalo`,
      plazo: { desde: cambioEn, vence: venceEn, plazos: PLAZOS_CON_VENTA_CANCELADA },
      pantalla: `ordenesPorConfirmar?ver=${id}`,
    }));

function porComprar({ pedidos, porPedir, surtido }: VentaQueSeCompra): Espera[] {
  const aqui = { plazo: null, pantalla: null };
  // A pedido that ended without the goods is ordered once more: that is one thing and not two.
  const sePideDeNuevo = ({ estado, proveedor }: Pedido) =>
    isIn(MUERTOS, estado) && porPedir.some((una) => una.proveedor === proveedor);
  return [
    ...(surtido.length > 0
      ? [{ ...aqui, paso: 'surtir', de: '', texto: 'Hay piezas en el stock interno para esta venta' }]
      : []),
    ...porPedir.map(({ proveedor, label }) => ({
      ...aqui,
      paso: 'pedir',
      de: proveedor,
      texto: `Falta pedirla a ${label}`,
    })),
    ...pedidos
      .filter(
        (pedido) =>
          pedido.descartadoEn === null &&
          isIn(POR_CONFIRMAR, pedido.estado) &&
          pedido.estado !== 'enviando' &&
          !sePideDeNuevo(pedido),
      )
      .flatMap(porConfirmar),
  ];
}

function porConfirmar({ id, estado, via, folioProveedor, proveedorLabel, ...pedido }: Pedido): Espera[] {
  const { creadoEn, venceEn, solicitadoEn } = pedido;
  const confirmar = (texto: string) => [
    {
      paso: 'confirmar',
      de: id,
      texto,
      plazo: { desde: creadoEn, vence: venceEn, plazos: PLAZOS_POR_CONFIRMAR },
      pantalla: `ordenesPorConfirmar?ver=${id}`,
    },
  ];
  if (estado === 'incierto') return confirmar(`No se sabe si ${proveedorLabel} tiene el pedido`);
  if (isIn(MUERTOS, estado)) return confirmar(`${proveedorLabel} no tomó el pedido`);
  if (estado !== 'solicitado' || via !== 'correo') return confirmar(`Falta confirmar el pedido a ${proveedorLabel}`);
  if (folioProveedor !== null) return [];
  const plazo = { desde: solicitadoEn ?? creadoEn, vence: null, plazos: SIN_FOLIO };
  return confirmar(`Falta el folio de ${proveedorLabel}`).map((espera) => ({ ...espera, paso: 'folio', plazo }));
}
