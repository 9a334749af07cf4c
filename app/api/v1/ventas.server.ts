import { z } from 'zod';
import { Dia } from '~/core/fields';
import { MARKETS } from '~/core/market';
import { readFactura } from '~/domain/facturacion/cfdi/factura.server';
import { facturasList, notasCreditoList } from '~/domain/facturacion/emision/listFacturas.server';
import { enviosList, enviosPendientesList } from '~/domain/ventas/envios/listEnvios.server';
import { cotizarList } from '~/domain/ventas/envios/listCotizar.server';
import { balanceList } from '~/domain/facturacion/mes/balance.server';
import { listasDelMes } from '~/domain/facturacion/mes/mesLists.server';
import { notasList } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { activasList, canceladasList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { ClienteFiscalForm } from '~/domain/facturacion/receptores/forms';
import {
  correctClienteFiscal,
  datosFiscalesList,
  readClienteFiscal,
} from '~/domain/facturacion/receptores/datosFiscales.server';
import { CAUSAS, PedidoDeCambio } from '~/domain/cierre/reportes/cambio';
import { readCambio } from '~/domain/cierre/reportes/cambio.server';
import { POR, VER, type Por } from '~/domain/cierre/reportes/utilidadPor';
import { PedidoDeUtilidad, readUtilidadPor } from '~/domain/cierre/reportes/utilidadPor.server';
import { llenarReporteList, mensualList } from '~/domain/cierre/reportes/utilidadLists.server';
import { sinFacturaList } from '~/domain/compras/facturas/lists.server';
import type { Db } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall } from '../form.server';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { DiaCivil, Instante, Pesos } from '../wire';
import { ById, OrdenFila } from './ordenes.server';

const CLASES = ['normal', 'cancelada', 'devuelta', 'invalida'] as const;

const FacturaFila = z.object({
  id: z.uuid(),
  fechaTimbrado: Instante,
  folio: z.string(),
  market: z.enum(MARKETS).nullable(),
  numOrden: z.string().nullable(),
  rfc: z.string(),
  razonSocial: z.string(),
  estatus: z.enum(['vigente', 'cancelando', 'cancelada']),
  total: Pesos,
  origenFolio: z.string().nullable(),
  origenUuid: z.string().nullable(),
  motivo: z.string().nullable(),
});

export const Factura = z.object({
  id: z.uuid(),
  tipo: z.enum(['individual', 'global', 'notaCredito']),
  estatus: z.enum(['vigente', 'cancelando', 'cancelada']),
  uuid: z.string(),
  folio: z.string(),
  fechaTimbrado: Instante,
  rfc: z.string(),
  razonSocial: z.string(),
  total: Pesos,
  numOrden: z.string().nullable(),
});

const EnvioFila = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  marketId: z.string().nullable(),
  fechaCreacion: Instante,
  actualizadoEn: Instante.nullable(),
  estatus: z.string(),
  subestatus: z.string().nullable(),
  propio: z.boolean(),
  paqueteria: z.string().nullable(),
  paqueteriaUrl: z.string().nullable(),
  guia: z.string().nullable(),
  costo: Pesos.nullable(),
  estado: z.string().nullable(),
  localidad: z.string().nullable(),
});

const ClienteFila = z.object({
  id: z.uuid(),
  origen: z.string(),
  fechaCreacion: Instante,
  rfc: z.string(),
  razonSocial: z.string(),
  cp: z.string(),
  telefono: z.string().nullable(),
  regimen: z.string(),
  emails: z.array(z.string()),
});

const Cliente = z.object({
  id: z.uuid(),
  rfc: z.string(),
  razonSocial: z.string(),
  cp: z.string(),
  regimen: z.string(),
  usoCfdi: z.string().nullable(),
  emails: z.array(z.string()),
  email: z.string().nullable(),
  email2: z.string().nullable(),
  email3: z.string().nullable(),
  telefono: z.string().nullable(),
  nombre: z.string().nullable(),
  apellidos: z.string().nullable(),
  calle: z.string().nullable(),
  numeroExterior: z.string().nullable(),
  numeroInterior: z.string().nullable(),
  colonia: z.string().nullable(),
  ciudad: z.string().nullable(),
  delegacion: z.string().nullable(),
  municipio: z.string().nullable().meta({ description: 'El mismo que delegacion.' }),
  estado: z.string().nullable(),
  pais: z.string().nullable(),
  fechaCreacion: Instante,
  actualizadoEn: Instante,
  version: z.int(),
});

/** A client as its PUT takes it back. */
async function clienteOf(db: Db, id: string) {
  const cliente = await found(readClienteFiscal(db, id));
  const [email = null, email2 = null, email3 = null] = cliente.emails;
  return { ...cliente, email, email2, email3, municipio: cliente.delegacion };
}

const UtilidadFila = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  numOrden: z.string(),
  fechaCreacion: Instante,
  titulo: z.string(),
  clase: z.enum(CLASES),
  pagado: Pesos.nullable(),
  cancelado: Pesos.nullable(),
  comision: Pesos.nullable(),
  costoEnvio: Pesos.nullable().meta({ description: 'Null mientras nadie lo sabe.' }),
  retencion: Pesos.nullable(),
  otros: Pesos.nullable().meta({ description: 'Devoluciones, cupones y otros cargos del mercado.' }),
  costo: Pesos.nullable(),
  facturado: Pesos,
  facturasProveedor: z.int(),
  utilidad: Pesos.nullable(),
  estimada: Pesos.nullable(),
  definitiva: z.boolean(),
  estima: z.array(z.string()),
  falta: z.array(z.string()),
  proveedor: z.string().nullable(),
  folios: z.string().nullable(),
});
const utilidadTotales = {
  pagado: Pesos,
  cancelado: Pesos,
  comision: Pesos,
  costoEnvio: Pesos,
  sinEnvio: z.int().meta({ description: 'Ventas cuyo envío no se sabe: no está en costoEnvio.' }),
  retencion: Pesos,
  facturado: Pesos,
  utilidad: Pesos,
  conUtilidad: z.int(),
  estimada: Pesos,
  conEstimada: z.int(),
};

const CifrasDeUtilidad = {
  ventas: z.int(),
  conUtilidad: z.int().meta({ description: 'Las ventas cuya utilidad se sabe o se estima: de ellas es queda.' }),
  estimadas: z.int(),
  pagado: Pesos,
  queda: Pesos.nullable(),
  volvieron: z.int().meta({ description: 'Canceladas y devueltas.' }),
  conVolvieron: z.int(),
  quedaVolvieron: Pesos.nullable(),
};

const PeriodoDeCambio = z.object({
  desde: DiaCivil,
  hasta: DiaCivil,
  leidoHasta: Instante,
  ventas: z.int(),
  conUtilidad: z.int().meta({ description: 'Las ventas cuya utilidad se sabe o se estima: solo estas se comparan.' }),
  estimadas: z.int(),
  queda: Pesos.nullable(),
});

export const ventas: Call[] = [
  defineListCall({
    path: '/api/v1/ordenes-activas',
    resumen: 'Las ordenes que faltan por enviar.',
    alcance: 'ordenes',
    acceso: { pantalla: 'ordenesActivas' },
    list: activasList,
    fila: OrdenFila,
    totales: { pagado: Pesos },
  }),
  defineListCall({
    path: '/api/v1/ordenes-canceladas',
    resumen: 'Las ordenes canceladas y devueltas de un periodo.',
    alcance: 'ordenes',
    acceso: { pantalla: 'ordenesCanceladas' },
    list: canceladasList,
    fila: OrdenFila,
    totales: { cancelado: Pesos },
  }),
  defineListCall({
    path: '/api/v1/facturas',
    resumen: 'Las facturas a clientes de un periodo.',
    alcance: 'facturas',
    acceso: { pantalla: 'facturasClientes' },
    list: facturasList,
    fila: FacturaFila,
    totales: { total: Pesos, canceladas: z.int() },
  }),
  defineListCall({
    path: '/api/v1/notas-credito',
    resumen: 'Las notas de crédito de un periodo.',
    alcance: 'facturas',
    acceso: { pantalla: 'facturasClientes' },
    list: notasCreditoList,
    fila: FacturaFila,
    totales: { total: Pesos, canceladas: z.int() },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/facturas/{id}',
    resumen: 'Una factura.',
    alcance: 'facturas',
    acceso: { pantalla: 'facturasClientes' },
    params: ById,
    answer: Factura,
    run: (db, { params: { id } }) => found(readFactura(db, id)),
  }),
  defineListCall({
    path: '/api/v1/notas-sencillas',
    resumen: 'Las notas sencillas de un periodo.',
    alcance: 'facturas',
    acceso: { pantalla: 'notasSencillas' },
    list: notasList,
    fila: z.object({
      id: z.uuid(),
      fecha: DiaCivil,
      folio: z.string(),
      cliente: z.string(),
      telefono: z.string(),
      email: z.string(),
      total: Pesos,
    }),
    totales: { total: Pesos },
  }),
  defineListCall({
    path: '/api/v1/envios',
    resumen: 'Los envíos de un periodo.',
    alcance: 'envios',
    acceso: { pantalla: 'envios' },
    list: enviosList,
    fila: EnvioFila,
    totales: { costo: Pesos },
  }),
  defineListCall({
    path: '/api/v1/envios-pendientes',
    resumen: 'Los envíos que no han llegado.',
    alcance: 'envios',
    acceso: { pantalla: 'enviosPendientes' },
    list: enviosPendientesList,
    fila: EnvioFila,
    totales: { costo: Pesos },
  }),
  defineListCall({
    path: '/api/v1/clientes',
    resumen: 'Los datos fiscales de clientes.',
    alcance: 'clientes',
    acceso: { pantalla: 'datosFiscales' },
    list: datosFiscalesList,
    fila: ClienteFila,
    totales: { porVenta: z.int() },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/clientes/{id}',
    resumen: 'Un cliente guardado.',
    alcance: 'clientes',
    acceso: { pantalla: 'datosFiscales' },
    params: ById,
    answer: Cliente,
    etag: etagOfVersion,
    run: (db, { params: { id } }) => clienteOf(db, id),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/clientes/{id}',
    resumen: 'Corrige un cliente guardado, aquí y en el PAC. «hecho» es falso mientras el PAC no contesta.',
    alcance: 'clientes',
    acceso: { pantalla: 'datosFiscales' },
    conVersion: true,
    status: 202,
    form: ClienteFiscalForm,
    de: { id: 'id' },
    answer: z.object({ hecho: z.boolean(), cliente: Cliente }),
    async run(db, form, { usuario }) {
      await clienteOf(db, form.id);
      const hecho = await correctClienteFiscal(db, form, usuario.id);
      return { hecho, cliente: await clienteOf(db, form.id) };
    },
  }),
  defineListCall({
    path: '/api/v1/reportes/mensual',
    resumen: 'Lo que dejó cada venta de un mes.',
    alcance: 'reportes',
    acceso: { pantalla: 'mensual' },
    list: mensualList,
    fila: UtilidadFila,
    totales: utilidadTotales,
  }),
  defineListCall({
    path: '/api/v1/reportes/llenar',
    resumen: 'Lo que dejó cada venta de un periodo.',
    alcance: 'reportes',
    acceso: { pantalla: 'llenarReporte' },
    list: llenarReporteList,
    fila: UtilidadFila,
    totales: utilidadTotales,
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/reportes/cambio',
    resumen: 'Por qué cambió la utilidad entre dos periodos: cinco causas que suman la diferencia al centavo.',
    alcance: 'reportes',
    acceso: { pantalla: 'grafica' },
    query: PedidoDeCambio,
    answer: z.object({
      pedido: z.object({ paso: z.string(), contra: z.string(), el: DiaCivil }),
      enCurso: z.boolean(),
      ahora: PeriodoDeCambio,
      antes: PeriodoDeCambio,
      diferencia: Pesos.nullable(),
      causas: z.array(
        z.object({
          causa: z.enum(CAUSAS),
          importe: Pesos,
          estimada: z.boolean(),
          productos: z.array(z.object({ titulo: z.string(), importe: Pesos })),
        }),
      ),
      sinPar: Pesos.meta({ description: 'De la mezcla: productos que solo un periodo vendió.' }),
      devoluciones: Pesos.meta({ description: 'Del envío: ventas canceladas y devueltas.' }),
      comunes: z.int(),
    }),
    run: (db, { query, now }) => readCambio(db, query, now),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/reportes/utilidadPor',
    resumen: 'Lo que dejaron las ventas de un periodo, por producto, proveedor, mercado o categoría.',
    alcance: 'reportes',
    acceso: { pantalla: 'utilidadPor' },
    query: z.object({
      por: z.enum(Object.keys(POR) as [Por, ...Por[]]).optional(),
      ver: z.enum(Object.keys(VER) as [keyof typeof VER, ...(keyof typeof VER)[]]).optional(),
      desde: Dia().optional(),
      hasta: Dia().optional(),
      limite: z.coerce.number().int().min(1).max(500).default(50),
    }),
    answer: z.object({
      filas: z.array(
        z.object({
          clave: z.string(),
          nombre: z.string(),
          sku: z.string().nullable(),
          market: z.enum(MARKETS).nullable(),
          piezas: z.int(),
          ...CifrasDeUtilidad,
        }),
      ),
      todas: z.int(),
      total: z.object(CifrasDeUtilidad),
    }),
    run: (db, { query: { limite, ...pedido } }) => readUtilidadPor(db, PedidoDeUtilidad.parse(pedido), limite),
  }),
  defineListCall({
    path: '/api/v1/reportes/sin-factura-de-proveedor',
    resumen: 'Las ventas de un mes que ninguna factura de proveedor cubre.',
    alcance: 'reportes',
    acceso: { pantalla: 'rFacturacionGeneral' },
    list: sinFacturaList,
    fila: z.object({
      id: z.uuid(),
      market: z.enum(MARKETS),
      numOrden: z.string(),
      fechaCreacion: Instante,
      titulo: z.string(),
      pagado: Pesos.nullable(),
      clase: z.enum(CLASES),
      proveedores: z.string().nullable(),
    }),
    totales: { pagado: Pesos },
  }),
  defineListCall({
    path: '/api/v1/cotizar-envios',
    resumen: 'Las ventas que enviamos nosotros y esperan su envío.',
    alcance: 'envios',
    acceso: { pantalla: 'cotizarEnvios' },
    list: cotizarList,
    fila: OrdenFila.pick({
      id: true,
      market: true,
      numOrden: true,
      packId: true,
      fechaCreacion: true,
      titulo: true,
      pagado: true,
      estatus: true,
    }),
  }),
  ...(
    [
      ['ordenes', 'Las ventas de un mes que faltan por facturar.', listasDelMes.ordenes],
      ['devueltas', 'Lo devuelto de un mes que espera nota de crédito.', listasDelMes.devueltas],
      [
        'refacturacion',
        'Lo que se facturó después de la general y espera nota de crédito.',
        listasDelMes.refacturacion,
      ],
      [
        'parciales',
        'Lo devuelto en parte de un mes que espera la nota de crédito de esa parte.',
        listasDelMes.parciales,
      ],
    ] as const
  ).map(([nombre, resumen, list]) =>
    defineListCall({
      path: `/api/v1/mes/${nombre}`,
      resumen,
      alcance: 'facturas',
      acceso: { pantalla: 'facturacionGeneral' },
      list: list as typeof listasDelMes.ordenes,
      fila: z.object({
        id: z.uuid(),
        fechaCreacion: Instante,
        market: z.enum(MARKETS),
        numOrden: z.string(),
        marketId: z.string(),
        titulo: z.string(),
        importe: Pesos,
      }),
      totales: { subTotal: Pesos, iva: Pesos, total: Pesos },
    }),
  ),
  defineListCall({
    path: '/api/v1/mes/balance',
    resumen: 'Las ventas de un mes cuyos CFDI, menos lo acreditado, no son lo que se quedó pagado, con el motivo.',
    alcance: 'facturas',
    acceso: { pantalla: 'balanceFiscal' },
    list: balanceList,
    fila: z.object({
      id: z.uuid(),
      fechaCreacion: Instante,
      market: z.enum(MARKETS),
      numOrden: z.string(),
      titulo: z.string(),
      pagado: Pesos,
      cobrado: Pesos,
      acreditado: Pesos,
      diferencia: Pesos,
      motivo: z.enum([
        'porFacturar',
        'refacturacion',
        'devuelta',
        'parcial',
        'dosFacturas',
        'cobradoDeMas',
        'cobradoDeMenos',
      ]),
    }),
    totales: { pagado: Pesos, cobrado: Pesos, acreditado: Pesos, diferencia: Pesos },
  }),
];
