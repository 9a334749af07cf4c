import { z } from 'zod';
import { Dia } from '~/core/fields';
import { MARKETS, PRECIOS } from '~/core/market';
import { PERSONAS } from '~/core/persona';
import {
  AplicarListaForm,
  DescartarListaForm,
  EncogidoForm,
  ListaForm,
  ReglaDeFrescura,
} from '~/domain/compras/catalogo/forms';
import { saveFrescura } from '~/domain/compras/catalogo/frescura.server';
import { decideEncogido } from '~/domain/compras/catalogo/lecturas.server';
import { applyLista, discardLista, listEnEspera, receiveLista } from '~/domain/compras/catalogo/listaPrecios.server';
import { fetchElecciones } from '~/domain/compras/catalogo/elecciones.server';
import { type ComoSeCompra, saveCompra, saveSucursal } from '~/domain/compras/directorio/comoSeCompra.server';
import { CompraForm, SucursalForm } from '~/domain/compras/directorio/compra';
import { findConfigurable, listConfigurados, savePedidos } from '~/domain/compras/directorio/configuracion.server';
import { PedidosForm } from '~/domain/compras/directorio/forms';
import { GananciaForm, TarifaForm } from '~/domain/compras/precios/forms';
import { huellaOfTarifa, readTarifasEscritas, saveGanancias, saveTarifa } from '~/domain/compras/precios/reglas.server';
import { PersonaForm, TasaForm } from '~/domain/ventas/ordenes/tasas';
import { readTasas, savePersona, saveTasa } from '~/domain/ventas/ordenes/tasas.server';
import { probarCompra } from '~/domain/compras/pedidos/probarCompra.server';
import { chooseAlmacen, fetchAlmacenes, readAlmacenes } from '~/domain/publicaciones/publicaciones/almacenes.server';
import { AlmacenForm, ReglaDeStockForm } from '~/domain/publicaciones/publicaciones/forms';
import { listSeguimiento, movePalanca } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { readReglasOfStock, saveReglaOfStock } from '~/domain/publicaciones/publicaciones/reglaDeStock.server';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { defineFormCall } from '../form.server';
import { found } from '../problem.server';
import { HuellaLeida, Instante } from '../wire';
import { ById } from './ordenes.server';

const tiendas = { alcance: 'proveedores', acceso: { pantalla: 'tiendasConfiguracion' } } as const;
const configurar = {
  alcance: 'proveedores',
  acceso: { pantalla: 'tiendasConfiguracion', derecho: 'proveedores.editar' },
} as const;

const texto = z.string().nullable();
/** What a form holds, as its own PUT takes it back. */
const escritas = (names: readonly string[]) =>
  z.object({ ...Object.fromEntries(names.map((name) => [name, texto])), huella: HuellaLeida });

const STOCK = Object.keys(ReglaDeStockForm.shape).filter((name) => name !== 'huella');
const Configurado = z.object({
  proveedor: z.string(),
  label: z.string(),
  ganancias: escritas(PRECIOS),
  stock: escritas(STOCK),
  pedidos: z.object({ crearPedido: z.boolean(), comprarSinConfirmar: z.boolean(), huella: HuellaLeida }),
  compra: z.object({
    metodoPago: texto,
    fletera: texto,
    tipoPago: texto,
    usoCfdi: texto,
    almacenes: z.array(z.string()).meta({ description: 'Almacenes o sucursales, primero los preferidos.' }),
    numeroCliente: texto,
    facturarA: texto,
    telefono: texto.meta({ description: 'El nuestro, donde el mercado no dice el del comprador.' }),
    cc: texto,
    huella: HuellaLeida,
    falta: z.array(z.string()).meta({ description: 'Lo que falta elegir para poderle pedir.' }),
    elecciones: z.record(z.string(), z.array(z.object({ clave: z.string(), nombre: z.string() }))),
    nombres: z
      .array(z.object({ nombre: z.string(), sucursal: texto }))
      .meta({ description: 'Nombres de su existencia que no están en su lista de sucursales.' }),
    leidasEn: Instante.nullable().meta({ description: 'Cuándo se leyeron sus opciones.' }),
  }),
  frescura: z.object({ frescuraMin: z.int(), version: z.int() }),
  lista: z
    .object({
      id: z.uuid(),
      nombre: z.string(),
      creadaEn: Instante,
      huella: HuellaLeida,
      ilegibles: z.int(),
      sinLeer: z.array(z.string()),
    })
    .nullable()
    .meta({ description: 'La lista de precios que espera aplicarse.' }),
});

const vacias = (valores: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(valores).map(([name, valor]) => [name, valor === '' ? null : String(valor)]));

function compraOf({
  datos,
  lugar,
  numeroCliente,
  facturarA,
  telefono,
  cc,
  huella: marca,
  falta,
  leidas,
}: ComoSeCompra) {
  const valorOf = (clave: string) => datos.find((dato) => dato.clave === clave)?.valor ?? null;
  return {
    metodoPago: valorOf('metodoPago'),
    fletera: valorOf('fletera'),
    tipoPago: valorOf('tipoPago'),
    usoCfdi: valorOf('usoCfdi'),
    almacenes: lugar?.almacenes ?? [],
    numeroCliente,
    facturarA,
    telefono,
    cc: cc === '' ? null : cc,
    huella: marca,
    falta,
    elecciones: Object.fromEntries([
      ...datos.map(({ clave, elecciones }) => [clave, [...elecciones]] as const),
      ...(lugar ? [['almacenes', [...lugar.elecciones]] as const] : []),
    ]),
    nombres: lugar?.nombres ?? [],
    leidasEn: leidas?.leidasEn ?? null,
  };
}

async function configuradosOf(db: Db) {
  const [proveedores, listas] = await Promise.all([listConfigurados(db), listEnEspera(db)]);
  const stocks = await readReglasOfStock(
    db,
    proveedores.map(({ value }) => value),
  );
  return proveedores.map(({ value, label, ganancias, huellaGanancias, pedidos, compra, frescura }) => ({
    proveedor: value,
    label,
    ganancias: { ...vacias(ganancias), huella: huellaGanancias },
    stock: { ...vacias(stocks[value]!), huella: stocks[value]!.huella },
    pedidos,
    compra: compraOf(compra),
    frescura,
    lista: listas.get(value) ?? null,
  }));
}
const configuradoOf = async (db: Db, proveedor: string) =>
  found(Promise.resolve((await configuradosOf(db)).find((uno) => uno.proveedor === proveedor)));
const sideOf = (proveedor = '') => found(Promise.resolve(findConfigurable(proveedor)));

const PorLey = z.string().meta({ description: 'En por ciento; vacía es la de la ley del día de la venta.' });
const Tarifa = z.object({
  market: z.enum(MARKETS),
  comision: z.string(),
  retencionIva: PorLey,
  retencionIsr: PorLey,
  huella: HuellaLeida,
});
const Tasa = z.object({ desde: Dia(), hasta: Dia().nullable(), iva: z.string(), isr: z.string() });
const Retenciones = z.object({
  persona: z.enum(PERSONAS),
  filas: z.array(Tasa),
  fin: z
    .object({ dia: Dia(), pasado: z.boolean() })
    .nullable()
    .meta({ description: 'El último día de las más nuevas, cuando está cerca o ya pasó.' }),
  huella: HuellaLeida,
});
const DeMarket = z.object({ market: z.enum(MARKETS) });
const Almacenes = z.object({
  lista: z.array(z.object({ id: z.string(), nombre: z.string() })),
  elegido: texto.meta({ description: 'El almacén de nuestras piezas.' }),
  falta: texto.meta({ description: 'Por qué todavía no se pueden escribir piezas.' }),
  leidosEn: Instante,
  huella: HuellaLeida,
});

async function tarifasOf(db: Db | Trx) {
  const tarifas = await readTarifasEscritas(db);
  return MARKETS.map((market) => {
    const tarifa = tarifas[market];
    return { market, ...tarifa, huella: huellaOfTarifa(tarifa) };
  });
}

/** A change of what is configured of a supplier, by the form of its card. */
const deProveedor = (save: (trx: Trx, proveedor: string, form: never, usuarioId: string) => Promise<unknown>) => ({
  ...configurar,
  answer: Configurado,
  async run(db: Db, form: object, { params, usuario }: { params: Record<string, string>; usuario: { id: string } }) {
    const { kind } = await sideOf(params.proveedor);
    await db.transaction().execute((trx) => save(trx, kind, form as never, usuario.id));
    return configuradoOf(db, kind);
  },
});

export const configuracion: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/tiendas/proveedores',
    resumen:
      'Lo configurado de cada proveedor: ganancia, existencia en tiendas, pedidos, frescura, y la lista que espera.',
    ...tiendas,
    answer: z.array(Configurado),
    run: (db) => configuradosOf(db),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/tiendas/proveedores/{proveedor}',
    resumen: 'Lo configurado de un proveedor.',
    ...tiendas,
    params: z.object({ proveedor: z.string().min(1).max(40) }),
    answer: Configurado,
    run: (db, { params: { proveedor } }) => configuradoOf(db, proveedor),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/tiendas/proveedores/{proveedor}/ganancias',
    resumen: 'La ganancia sobre el costo de un proveedor: 0.5 es 50 %.',
    form: GananciaForm,
    ...deProveedor(saveGanancias),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/tiendas/proveedores/{proveedor}/stock',
    resumen: 'Cuánto se guarda y cuánto se muestra de la existencia de un proveedor en cada mercado.',
    form: ReglaDeStockForm,
    ...deProveedor(saveReglaOfStock),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/tiendas/proveedores/{proveedor}/pedidos',
    resumen: 'Si a un proveedor se le hacen pedidos, y si se compran sin confirmar.',
    form: PedidosForm,
    ...deProveedor(async (trx, kind, form, usuarioId) => savePedidos(trx, await sideOf(kind), form, usuarioId)),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/tiendas/proveedores/{proveedor}/compra',
    resumen:
      'Cómo se le compra a un proveedor: forma de pago, fletera, almacenes preferidos, y a quién van sus cartas.',
    form: CompraForm,
    ...deProveedor(async (trx, kind, form, usuarioId) => saveCompra(trx, await sideOf(kind), form, usuarioId)),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/tiendas/proveedores/{proveedor}/sucursal',
    resumen: 'De qué sucursal es un nombre de la existencia de un proveedor.',
    form: SucursalForm,
    ...deProveedor(async (trx, kind, form, usuarioId) => saveSucursal(trx, await sideOf(kind), form, usuarioId)),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/tiendas/proveedores/{proveedor}/opciones',
    resumen: 'Lee del proveedor sus opciones de compra: formas de pago, fleteras, sucursales.',
    ...configurar,
    params: z.object({ proveedor: z.string().min(1).max(40) }),
    answer: Configurado,
    async run(db, { params: { proveedor } }) {
      const { kind } = await sideOf(proveedor);
      await fetchElecciones(db, kind);
      return configuradoOf(db, kind);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/tiendas/proveedores/{proveedor}/compra/prueba',
    resumen: 'Prueba que un pedido a un proveedor pasaría con lo elegido. No compra nada.',
    ...configurar,
    params: z.object({ proveedor: z.string().min(1).max(40) }),
    answer: z.object({ dice: z.string() }),
    run: async (db, { params: { proveedor } }) => ({ dice: await probarCompra(db, await sideOf(proveedor)) }),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/tiendas/proveedores/{proveedor}/frescura',
    resumen: 'Después de cuántos minutos la existencia de un proveedor cuenta como ninguna.',
    conVersion: true,
    form: ReglaDeFrescura,
    de: { proveedor: 'proveedor' },
    ...deProveedor((trx, _, form, usuarioId) => saveFrescura(trx, form, usuarioId)),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/tiendas/proveedores/{proveedor}/lista',
    resumen: 'Recibe la lista de precios de un proveedor. Espera a que se aplique.',
    ...configurar,
    status: 201,
    recibe: { campo: 'archivo' },
    form: ListaForm,
    answer: Configurado,
    async run(db, form, { params, usuario }) {
      const side = await sideOf(params.proveedor);
      await receiveLista(db, side, form, usuario.id);
      return configuradoOf(db, side.kind);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/tiendas/listas/{id}/aplicacion',
    resumen: 'Aplica una lista de precios, con las cuentas que se leyeron.',
    ...configurar,
    form: AplicarListaForm,
    de: { lista: 'id' },
    answer: z.object({ cambia: z.int(), nuevo: z.int() }),
    commit: (trx, form, { usuario }) => applyLista(trx, form, usuario.id),
  }),
  defineFormCall({
    method: 'DELETE',
    path: '/api/v1/tiendas/listas/{id}',
    resumen: 'Descarta una lista de precios que no se aplicó.',
    ...configurar,
    form: DescartarListaForm,
    de: { lista: 'id' },
    answer: ById,
    async commit(trx, { lista }) {
      await discardLista(trx, lista);
      return { id: lista };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/tiendas/lecturas/{id}/decision',
    resumen: 'Qué se hace con lo que un catálogo que encogió ya no trae: «marcar» ausentes o «dejar».',
    ...configurar,
    form: EncogidoForm,
    de: { id: 'id' },
    answer: z.object({ marcados: z.int() }),
    commit: (trx, form, { usuario }) => decideEncogido(trx, form, usuario.id),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/tiendas/tarifas',
    resumen: 'Lo que cobra y retiene cada mercado, en por ciento.',
    ...tiendas,
    answer: z.array(Tarifa),
    run: (db) => tarifasOf(db),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/tiendas/tarifas/{market}',
    resumen: 'Cambia lo que cobra y retiene un mercado.',
    ...configurar,
    form: TarifaForm,
    de: { market: 'market' },
    answer: Tarifa,
    async commit(trx, form, { usuario }) {
      await saveTarifa(trx, form, usuario.id);
      return (await tarifasOf(trx)).find(({ market }) => market === form.market)!;
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/tiendas/retenciones',
    resumen: 'Lo que la ley manda retener a los mercados, por día, en por ciento del precio sin IVA.',
    ...tiendas,
    answer: Retenciones,
    run: (db) => readTasas(db),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/tiendas/retenciones/persona',
    resumen: 'Dice quién vende: una empresa, una persona o alguien sin RFC registrado en los mercados.',
    ...configurar,
    form: PersonaForm,
    answer: Retenciones,
    async commit(trx, form, { usuario }) {
      await savePersona(trx, form, usuario.id);
      return readTasas(trx);
    },
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/tiendas/retenciones/{desde}',
    resumen: 'Escribe las tasas de ley desde un día.',
    ...configurar,
    form: TasaForm,
    de: { desde: 'desde' },
    answer: Retenciones,
    async commit(trx, form, { usuario }) {
      await saveTasa(trx, form, usuario.id);
      return readTasas(trx);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/tiendas/almacenes/{market}',
    resumen: 'Los almacenes de la cuenta de un mercado que cuenta las piezas por lugar, y el de las nuestras.',
    ...tiendas,
    params: DeMarket,
    answer: Almacenes,
    run: (db, { params: { market } }) => found(readAlmacenes(db, market)),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/tiendas/almacenes/{market}',
    resumen: 'Elige en qué almacén de la cuenta están nuestras piezas.',
    ...configurar,
    form: AlmacenForm,
    de: { market: 'market' },
    answer: Almacenes,
    async commit(trx, form, { usuario }) {
      await chooseAlmacen(trx, form, usuario.id);
      return found(readAlmacenes(trx, form.market));
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/tiendas/almacenes/{market}/lectura',
    resumen: 'Lee del mercado los almacenes de la cuenta.',
    ...configurar,
    params: DeMarket,
    answer: Almacenes,
    async run(db, { params: { market } }) {
      await fetchAlmacenes(db, market);
      return found(readAlmacenes(db, market));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/tiendas/seguimiento',
    resumen: 'Si las publicaciones de cada mercado siguen a sus proveedores, y cuántas.',
    alcance: 'publicaciones',
    acceso: { pantalla: 'publicaciones' },
    answer: z.array(
      z.object({
        market: z.enum(MARKETS),
        detenidoEn: Instante.nullable(),
        quien: texto,
        siguen: z.int(),
        pendientes: z.int(),
        retenidas: z.int(),
        conError: z.int(),
      }),
    ),
    run: (db) => listSeguimiento(db),
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/tiendas/seguimiento/{market}',
    resumen: 'Detiene o reanuda lo que sigue a los proveedores en un mercado.',
    alcance: 'publicaciones',
    acceso: { derecho: 'publicaciones.detener' },
    params: z.object({ market: z.enum(MARKETS) }),
    body: z.object({ detener: z.boolean() }),
    answer: z.object({ market: z.enum(MARKETS), detener: z.boolean() }),
    async commit(trx, { params: { market }, body: { detener }, usuario }) {
      await movePalanca(trx, { market, detener }, usuario.id);
      return { market, detener };
    },
  }),
];
