import { randomUUID } from 'node:crypto';
import { removePlantilla, savePlantilla } from '~/domain/atencion/preguntas/plantillas.server';
import { acceptRespuesta } from '~/domain/atencion/preguntas/responderPregunta.server';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { addDays, civilDay } from '~/core/time';
import { cancelableOf, requestCancelacion } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import {
  huellaOfAjustes,
  readAjustesFacturacion,
  saveAjustesFacturacion,
} from '~/domain/facturacion/cfdi/ajustes.server';
import { articuloVacio } from '~/domain/facturacion/cfdi/articulos';
import { renameEmpresa, setEmpresaActiva } from '~/domain/personal/empresas.server';
import { changePassword, setActivo, updateUsuario } from '~/domain/personal/usuarios.server';
import { resolveAsAbsent } from '~/platform/effects/resolve.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { openNotaDraft } from '~/domain/facturacion/notaSencilla/notaDraft.server';
import { ajenaOf, huellaOf } from '~/domain/ventas/ordenes/datosEnvio.server';
import {
  createProveedorFactura,
  deleteProveedorFactura,
  updateProveedorFactura,
} from '~/domain/compras/facturas/proveedorFacturas.server';
import { saveCredential } from '~/platform/connections/credentials.server';
import { chooseAlmacen, readAlmacenes } from '~/domain/publicaciones/publicaciones/almacenes.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { propiasEscritas, savePropias } from '~/domain/compras/precios/precios.server';
import {
  gananciasEscritas,
  huellaOfGanancias,
  huellaOfTarifa,
  readPropias,
  readReglas,
  readTarifasEscritas,
  saveGanancias,
  saveTarifa,
} from '~/domain/compras/precios/reglas.server';
import { saveCompra, saveSucursal } from '~/domain/compras/directorio/comoSeCompra.server';
import { CompraForm } from '~/domain/compras/directorio/compra';
import { listConfigurados, savePedidos } from '~/domain/compras/directorio/configuracion.server';
import { saveFrescura } from '~/domain/compras/catalogo/frescura.server';
import { saveAgente, setAgenteActivo } from '~/domain/compras/directorio/agentes.server';
import type { AgenteEditado } from '~/domain/compras/directorio/forms';
import { applyReparto, discardCfdi, readCfdisPropuestos, receiveCfdis } from '~/domain/compras/facturas/cfdis.server';
import { CfdiVisto } from '~/domain/compras/facturas/forms';
import { saveDatosCliente } from '~/domain/ventas/envios/datosCliente.server';
import { readPropioOfNumero } from '~/domain/ventas/envios/propios.server';
import { editPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { saveAutoOrden, saveProducto } from '~/domain/compras/catalogo/productos.server';
import { saveProveedor } from '~/domain/compras/directorio/proveedores.server';
import { note, saveRegla } from '~/domain/cierre/conciliacion/conciliacion.server';
import { decideSuelto, requestVenta } from '~/domain/cierre/conciliacion/sueltos.server';
import {
  changeEstado,
  createDevolucion,
  undoMovimiento,
  savePieza,
  sellPieza,
} from '~/domain/compras/stock/piezas.server';
import { countPieza, finishConteo, settleDiferencia, startConteo } from '~/domain/compras/stock/contar.server';
import { readConteo } from '~/domain/compras/stock/conteos.server';
import { DevolucionForm, PiezaEditada } from '~/domain/compras/stock/forms';
import type { ScreenAction } from '~/http/actions.server';
import { marcasOf, mostradoOf } from '~/domain/facturacion/emision/draft';
import { action as actFacturacion } from '~/routes/facturacion/emision/facturacion';
import { action as actNota } from '~/routes/facturacion/notaSencilla/notaSencilla';
import {
  noteFolio,
  cancelPedido,
  confirmPedido,
  discardPedido,
  resendCorreo,
} from '~/domain/compras/pedidos/pedidos.server';
import { readCosto, saveCosto } from '~/domain/ventas/ordenes/costos.server';
import { readTasas, savePersona, saveTasa } from '~/domain/ventas/ordenes/tasas.server';
import type { Persona } from '~/core/persona';
import { readReglasOfStock, saveReglaOfStock } from '~/domain/publicaciones/publicaciones/reglaDeStock.server';
import { action as actClientes } from '~/routes/facturacion/receptores/lista';
import { action as actOrdenes } from '~/routes/ventas/ordenes/lista';
import { readDevuelta } from '~/domain/ventas/ordenes/devueltas.server';
import { action as actCotizar } from '~/routes/ventas/envios/cotizar';
import { action as actPendientes, loader as loadPendientes } from '~/routes/operacion/pendientes/pendientes';
import { action as actPublico } from '~/routes/public/facturacion';
import type { Trx } from '~db/client.server';
import { buildEnlace, vistoEn } from '../support/builders/enlaces';
import { cfdiDeProveedor } from '../support/builders/proveedores';
import { buildLiquidacion, buildSuelto } from '../support/builders/conciliacion';
import { buildFactura } from '../support/builders/facturas';
import { buildOrden } from '../support/builders/ordenes';
import { buildPiezas, buildProductoDeStock } from '../support/builders/stock';
import { buildBorrador, buildPersona, buildVenta, CLIENTES, REVISION } from '../support/builders/ventas';
import { noteCotizacion } from '~/domain/compras/pagos/cotizaciones.server';
import { addOrdenes, deletePago, removeOrden, saveMonto, savePago } from '~/domain/compras/pagos/pagos.server';
import { acceptFacturas } from '../faults/support/scene';
import { openPac } from '../support/pac';
import { lockName } from '~db/locks.server';
import { screenName } from '../support/screenNames';

/**
 * What carries a mark compares it with what stands when it acts, and not with what stood when it began to look. Somebody changes the record and has not committed
 * yet; the command comes with the mark that is still true; it waits; the change is committed. It must refuse, and write nothing.
 */
const { db, sa } = await openPac();
const now = () => new Date();

/** `dice`: what it says instead, where what moved is told before any mark. */
type Carrera = { act(): Promise<unknown>; move(trx: Trx): Promise<unknown>; dice?: RegExp };

/** Whether somebody waits for a lock in this database. */
const waits = async () =>
  (
    await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  ).rows[0]!.n > 0;

async function run({ act, move }: Carrera): Promise<unknown> {
  const other = await db.startTransaction().execute();
  await move(other);
  let ended = false;
  const answer = act()
    .catch((error: unknown) => error)
    .finally(() => (ended = true));
  while (!ended && !(await waits())) await new Promise((resolve) => setTimeout(resolve, 10));
  await other.commit().execute();
  return answer;
}

/** A refusal as the domain throws it, or as a screen answers it. */
function choqueOf(answer: unknown): unknown {
  if (answer instanceof NotAllowed) return 'choque' in answer ? answer.choque : undefined;
  const { data } = (answer ?? {}) as { data?: { choque?: unknown } };
  return data?.choque;
}

const args = (body: Record<string, string>, query = '', params = {}): ActionFunctionArgs => ({
  request: new Request(`http://trastienda.test/sa/x${query}`, { method: 'POST', body: new URLSearchParams(body) }),
  params,
  context: { usuario: sa, ip: '10.0.0.1' } as unknown as AppLoadContext,
});
const inTrx = <T>(verb: (trx: Trx) => Promise<T>) => db.transaction().execute(verb);
const bump =
  (
    table:
      | 'agente_venta'
      | 'plantilla'
      | 'pregunta'
      | 'empresa'
      | 'usuario'
      | 'proveedor'
      | 'proveedor_factura'
      | 'cliente_fiscal'
      | 'publicacion'
      | 'factura_draft'
      | 'nota_draft'
      | 'pedido'
      | 'producto'
      | 'cotizacion'
      | 'pago'
      | 'stock_interno'
      | 'deposito'
      | 'conciliacion'
      | 'suelto',
    key: string,
    value: string,
  ) =>
  (trx: Trx) =>
    sql`update ${sql.table(table)} set version = version + 1 where ${sql.ref(key)}::text = ${value}`.execute(trx);

async function empresa(act: (trx: Trx, row: { id: string; version: number }) => Promise<unknown>): Promise<Carrera> {
  const row = await db.selectFrom('empresa').select(['id', 'version']).orderBy('id').limit(1).executeTakeFirstOrThrow();
  return { act: () => inTrx((trx) => act(trx, row)), move: bump('empresa', 'id', row.id) };
}
async function agente(act: (trx: Trx, row: AgenteEditado) => Promise<unknown>): Promise<Carrera> {
  const datos = { nombre: 'Ana', apellidos: 'Ríos', email: 'ana@correo.test', proveedor: 'syscom', telefono: null };
  const row = await db.insertInto('agenteVenta').values(datos).returning(['id', 'version']).executeTakeFirstOrThrow();
  return { act: () => inTrx((trx) => act(trx, { ...row, ...datos })), move: bump('agente_venta', 'id', row.id) };
}
async function usuario(act: (trx: Trx, row: { id: string; version: number }) => Promise<unknown>): Promise<Carrera> {
  const { id } = await buildPersona(db, 'user');
  const { version } = await db.selectFrom('usuario').select('version').where('id', '=', id).executeTakeFirstOrThrow();
  return { act: () => inTrx((trx) => act(trx, { id, version })), move: bump('usuario', 'id', id) };
}
async function proveedorFactura(
  act: (trx: Trx, row: { id: string; version: number }) => Promise<unknown>,
): Promise<Carrera> {
  const { id: ordenId } = await buildOrden(db, {});
  const folio = `M-${ordenId.slice(-8)}`;
  const { id } = await inTrx((trx) =>
    createProveedorFactura(trx, { ordenId, proveedor: 'syscom', folio, monto: '10.00' }, sa.id),
  );
  const { version } = await db
    .selectFrom('proveedorFactura')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { act: () => inTrx((trx) => act(trx, { id, version })), move: bump('proveedor_factura', 'id', id) };
}

/** A supplier's document of which another sale takes its part meanwhile. */
async function cfdiDeProveedorVisto(act: (trx: Trx, visto: CfdiVisto) => Promise<unknown>): Promise<Carrera> {
  const { id: ordenId } = await buildOrden(db, {});
  const xml = cfdiDeProveedor({ folio: `V-${ordenId.slice(-8)}` });
  const { leidos } = await inTrx((trx) => receiveCfdis(trx, [{ nombre: 'a.xml', contenido: Buffer.from(xml) }], sa.id));
  const cfdi = leidos[0]!;
  const { visto } = (await readCfdisPropuestos(db, [cfdi]))[0]!;
  return {
    act: () => inTrx((trx) => act(trx, CfdiVisto.parse({ ...visto, cfdi }))),
    move: (trx) =>
      createProveedorFactura(trx, { ordenId, proveedor: 'syscom', folio: 'P-1', monto: '1.00', cfdi }, sa.id, {
        rfc: true,
      }),
  };
}

/** One intent of the stepper of a sale, with everything saved before it. */
async function borrador(fields: Record<string, string>): Promise<Carrera> {
  const { id, version } = await buildBorrador(db, await buildVenta(db), sa);
  return {
    act: () => actFacturacion(args({ version: String(version), confirmado: '1', ...fields }, `?borrador=${id}&paso=3`)),
    move: bump('factura_draft', 'id', id),
  };
}
async function nota(fields: Record<string, string>): Promise<Carrera> {
  const id = await openNotaDraft(
    db,
    [{ ...articuloVacio(), nombre: 'Cámara', precioUnitario: '10.00', importe: '10.00' }],
    sa.id,
  );
  const { version } = await db.selectFrom('notaDraft').select('version').where('id', '=', id).executeTakeFirstOrThrow();
  return {
    act: () => actNota(args({ version: String(version), confirmado: '1', ...fields }, `?borrador=${id}&paso=2`)),
    move: bump('nota_draft', 'id', id),
  };
}
async function publico(fields: Record<string, string>, { saved = true } = {}): Promise<Carrera> {
  const { token } = await buildEnlace(db, await buildVenta(db));
  const { rfc, razonSocial, cp, regimen } = CLIENTES[0];
  const datos = { intent: 'guardar', rfc, razonSocial, cp, regimen, email: 'yo@correo.test', usarRegistrado: '' };
  const send = async (body: Record<string, string>) => actPublico(args(body, '', { token }));
  if (saved) await send({ ...datos, ...(await vistoEn(token)) });
  const visto = await vistoEn(token, fields.intent === 'crear' ? '2' : '1');
  return {
    act: () => send({ ...datos, ...visto, confirmado: '1', ...fields }),
    move: (trx) =>
      sql`update factura_draft set version = version + 1, cliente = jsonb_set(cliente, '{cp}', '"44100"')
      where enlace_id = (select id from enlace order by id desc limit 1)`.execute(trx),
  };
}

async function envioPropio(fields: Record<string, string>): Promise<Carrera> {
  const { id, envioId } = await buildOrden(db, { envioPropio: true });
  const envio = await db.selectFrom('envio').selectAll().where('id', '=', envioId!).executeTakeFirstOrThrow();
  return {
    act: () => actCotizar(args({ orden: id, huella: huellaOf(envio), confirmado: '1', ...fields })),
    move: (trx) =>
      trx.updateTable('envio').set({ calle: 'Otra calle', costo: '77.00' }).where('id', '=', envioId!).execute(),
  };
}

/** An address that a person wrote here, which another person writes anew while somebody decides that it stays. */
async function direccionAjena(): Promise<Carrera> {
  const { id, envioId } = await buildOrden(db, { envioPropio: true });
  const envio = await db
    .updateTable('envio')
    .set({ direccionDifiere: true, direccionMercado: JSON.stringify({ ...ENVIO, calle: 'Calle del mercado' }) })
    .where('id', '=', envioId!)
    .returningAll()
    .executeTakeFirstOrThrow();
  const fields = { intent: 'direccion', huella: huellaOf(envio), ajena: ajenaOf(envio)!.huella, decision: 'dejar' };
  return {
    act: () => actCotizar(args({ orden: id, ...fields })),
    move: (trx) => trx.updateTable('envio').set({ calle: 'Otra calle' }).where('id', '=', envioId!).execute(),
  };
}

/** A sale that was paid and not fulfilled, of which another settlement tells something else while somebody decides whose the money is. */
async function pagadaSinEntregar(): Promise<Carrera> {
  const { id } = await buildOrden(db, {});
  const paid = { situacion: 'devuelta', clase: 'devuelta', enPie: '500.00', liquidado: '400.00' } as const;
  await db.updateTable('orden').set(paid).where('id', '=', id).execute();
  const { huella } = (await readDevuelta(db, id))!;
  return {
    act: () => actOrdenes(args({ intent: 'decidirDevuelta', orden: id, huella, decision: 'esperar' })),
    move: (trx) => trx.updateTable('orden').set({ liquidado: '390.00' }).where('id', '=', id).execute(),
  };
}

const GUIA = {
  peso: '1.00',
  largo: '30',
  ancho: '20',
  alto: '10',
  servicio: 'UNO',
  nombre: 'Terrestre',
  paqueteria: 'Estafeta',
  precio: '149.00',
};

/** A pedido that moves meanwhile. */
async function pedido(act: (trx: Trx, vista: { id: string; version: number }) => Promise<unknown>): Promise<Carrera> {
  const { numOrden } = await buildOrden(db);
  const vista = await db
    .insertInto('pedido')
    .values({ market: 'ml', numOrden, proveedor: 'tvc', via: 'correo' })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  return { act: () => inTrx((trx) => act(trx, vista)), move: bump('pedido', 'id', vista.id) };
}

async function pago(
  act: (trx: Trx, visto: { id: string; version: number; ordenId: string }) => Promise<unknown>,
): Promise<Carrera> {
  const { id: ordenId } = await buildOrden(db);
  const row = await db
    .insertInto('pago')
    .values({ proveedor: 'syscom', folio: randomUUID() })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  return { act: () => inTrx((trx) => act(trx, { ...row, ordenId })), move: bump('pago', 'id', row.id) };
}
async function cotizacion(): Promise<Carrera> {
  const { id: ordenId } = await buildOrden(db);
  await db.insertInto('cotizacion').values({ ordenId, folio: 'C-1' }).execute();
  return {
    act: () => inTrx((trx) => noteCotizacion(trx, { ordenId, folio: 'C-2', version: 1 }, sa.id)),
    move: bump('cotizacion', 'orden_id', ordenId),
  };
}

/** What people say of a product, of which somebody else says more meanwhile. */
async function pregunta(act: (trx: Trx, row: { id: string; version: number }) => Promise<unknown>): Promise<Carrera> {
  const now = new Date();
  const row = await db
    .insertInto('pregunta')
    .values({
      market: 'ml',
      marketId: randomUUID(),
      publicacionId: 'MLM1',
      texto: '¿Hay?',
      estatus: 'pendiente',
      fecha: now,
      leidaEn: now,
      datos: '{}',
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  return { act: () => inTrx((trx) => act(trx, row)), move: bump('pregunta', 'id', row.id) };
}
async function plantilla(act: (trx: Trx, row: { id: string; version: number }) => Promise<unknown>): Promise<Carrera> {
  const row = await db
    .insertInto('plantilla')
    .values({ nombre: randomUUID(), texto: 'Hola' })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  return { act: () => inTrx((trx) => act(trx, row)), move: bump('plantilla', 'id', row.id) };
}
async function producto(act: (trx: Trx, row: { id: string; version: number }) => Promise<unknown>): Promise<Carrera> {
  const row = await db
    .insertInto('producto')
    .values({ proveedor: 'tvc', idProveedor: randomUUID(), nombre: 'Cámara', enVenta: true, huella: '-' })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  return { act: () => inTrx((trx) => act(trx, row)), move: bump('producto', 'id', row.id) };
}

/** A piece on the shelf, in a state that was just changed. */
async function pieza(act: (trx: Trx, row: { id: string; version: number }) => Promise<unknown>): Promise<Carrera> {
  const [una] = await buildPiezas(db, sa.id, { producto: (await buildProductoDeStock(db)).id });
  const { id } = una!;
  await inTrx((trx) => changeEstado(trx, { id, version: 1, estado: 'disponible' }, sa.id));
  return { act: () => inTrx((trx) => act(trx, { id, version: 2 })), move: bump('stock_interno', 'id', id) };
}

/** A count of two pieces of a part into which one was read. */
async function conteo(parte: 'danado' | 'enRevision') {
  const producto = (await buildProductoDeStock(db)).id;
  const piezas = await buildPiezas(db, sa.id, { producto, cantidad: '2', estado: parte });
  const [leida, otra] = piezas as [(typeof piezas)[0], (typeof piezas)[0]];
  const id = await inTrx((trx) => startConteo(trx, { parte }, sa.id));
  await inTrx((trx) => countPieza(trx, { conteo: id, codigo: leida.folio }, sa.id));
  return { id, otra, finish: (trx: Trx) => finishConteo(trx, { conteo: id, leidas: 1 }, sa.id) };
}

/** A call whose answer was lost, and of which one more send is counted meanwhile. */
async function decision(
  act: (of: { effectId: string; huella: string }) => Promise<unknown>,
  late = false,
): Promise<Carrera> {
  const { effectId } = (await acceptFacturas(db, sa, 1))[0]!;
  await sql`update effect set state = 'manual', late_evidence = case when ${late} then '{"uuid": "A"}'::jsonb end where id = ${effectId}`.execute(
    db,
  );
  const request = new Request(`http://trastienda.test/sa/pendientes?ver=${effectId}`);
  const context = { usuario: sa } as unknown as AppLoadContext;
  const { huella } = (await loadPendientes({ request, params: {}, context })).abierta!;
  return {
    act: () => act({ effectId, huella }),
    move: (trx) => sql`update effect set sends = sends + 1 where id = ${effectId}`.execute(trx),
  };
}
const decidir = (intent: string, more = {}) =>
  decision((of) => actPendientes(args({ intent, confirmado: '1', ...of, ...more })), intent === 'entendido');

const ENVIO = {
  telefono: '5512345678',
  cp: '06700',
  nombreReceptor: 'Ana',
  apellidos: 'Ríos',
  colonia: 'Roma Norte',
  calle: 'Orizaba',
  ciudad: 'Ciudad de México',
  municipio: 'Cuauhtémoc',
  estado: 'Ciudad de México',
  referencia: 'Puerta',
};
const UUID = '6F1C0000-0000-4000-8000-000000000001';

/** Two people send the same command about what both saw, each with something else. */
const dosVeces = (una: (trx: Trx) => Promise<unknown>, otra: (trx: Trx) => Promise<unknown>): Carrera => ({
  act: () => inTrx(una),
  move: otra,
});

const CARRERAS: Record<string, () => Promise<Carrera>> = {
  'conteos#terminar': async () => {
    const { id, otra, finish } = await conteo('danado');
    return {
      act: () => inTrx(finish),
      move: (trx) => countPieza(trx, { conteo: id, codigo: otra.folio }, sa.id),
    };
  },
  'conteos#decidir': async () => {
    const { id, otra, finish } = await conteo('enRevision');
    await inTrx(finish);
    const { id: diferencia, version } = (await readConteo(db, id))!.filas.find(({ codigo }) => codigo === otra.folio)!;
    const form = { conteo: id, diferencia, version, decision: 'aparecio', motivo: null } as const;
    return {
      act: () => inTrx((trx) => settleDiferencia(trx, form, sa.id)),
      move: bump('stock_interno', 'id', otra.id),
    };
  },
  'tiendasConfiguracion#ganancia': async () => {
    const huella = huellaOfGanancias(gananciasEscritas(await readReglas(db), 'tvc'));
    const guarda = (ml: string) => (trx: Trx) => saveGanancias(trx, 'tvc', { ml, amz: '0.5', huella }, sa.id);
    return dosVeces(guarda('0.2'), guarda('0.3'));
  },
  'tiendasConfiguracion#stock': async () => {
    const { huella } = (await readReglasOfStock(db, ['tvc'])).tvc!;
    const guarda = (mlColchon: string) => (trx: Trx) =>
      saveReglaOfStock(trx, 'tvc', { huella, mlColchon, mlTope: null, amzColchon: '0', amzTope: null }, sa.id);
    return dosVeces(guarda('1'), guarda('2'));
  },
  'tiendasConfiguracion#tarifa': async () => {
    const huella = huellaOfTarifa((await readTarifasEscritas(db)).ml);
    const guarda = (comision: string) => (trx: Trx) =>
      saveTarifa(trx, { market: 'ml', huella, comision, retencionIva: '8', retencionIsr: '2.5' }, sa.id);
    return dosVeces(guarda('14'), guarda('16'));
  },
  'tiendasConfiguracion#persona': async () => {
    const { huella } = await readTasas(db);
    const guarda = (persona: Persona) => (trx: Trx) => savePersona(trx, { huella, persona }, sa.id);
    return dosVeces(guarda('fisica'), guarda('sinRfc'));
  },
  'tiendasConfiguracion#tasa': async () => {
    const { huella } = await readTasas(db);
    const guarda = (isr: string) => (trx: Trx) =>
      saveTasa(trx, { huella, desde: '2031-01-01', hasta: '2031-12-31', iva: '8', isr }, sa.id);
    return dosVeces(guarda('2.5'), guarda('3'));
  },
  'costosPropios#costo': async () => {
    const sku = 'AMS|1|propio|Marcas';
    await buildOrden(db, { sku });
    const { huella } = (await readCosto(db, sku))!;
    const guarda = (costo: string) => (trx: Trx) =>
      saveCosto(trx, { sku, huella, desde: '2026-11-01', costo, soloAlmacen: false }, sa.id);
    return dosVeces(guarda('10.00'), guarda('20.00'));
  },
  'tiendasConfiguracion#pedidos': async () => {
    const { huella, crearPedido } = (await listConfigurados(db)).find(({ value }) => value === 'tvc')!.pedidos;
    const guarda = (comprarSinConfirmar: boolean) => (trx: Trx) =>
      savePedidos(trx, CONNECTIONS.of('tvc'), { huella, crearPedido: !crearPedido, comprarSinConfirmar }, sa.id);
    return dosVeces(guarda(true), guarda(false));
  },
  'tiendasConfiguracion#compra': async () => {
    const { huella } = (await listConfigurados(db)).find(({ value }) => value === 'tvc')!.compra;
    const guarda = (numeroCliente: string) => (trx: Trx) =>
      saveCompra(trx, CONNECTIONS.of('tvc'), CompraForm.parse({ huella, numeroCliente, almacenes: [] }), sa.id);
    return dosVeces(guarda('1'), guarda('2'));
  },
  'tiendasConfiguracion#sucursal': async () => {
    await db
      .insertInto('proveedorElecciones')
      .values({ proveedor: 'cva', elecciones: JSON.stringify({ sucursal: [{ clave: '1', nombre: 'A' }] }) })
      .onConflict((on) => on.doNothing())
      .execute();
    const { huella } = (await listConfigurados(db)).find(({ value }) => value === 'cva')!.compra;
    const guarda = (nombre: string) => (trx: Trx) =>
      saveSucursal(trx, CONNECTIONS.of('cva'), { huella, nombre, sucursal: '1' }, sa.id);
    return dosVeces(guarda('NORTE'), guarda('SUR'));
  },
  'tiendasConfiguracion#almacen': async () => {
    const almacenes = JSON.stringify(['A', 'B'].map((id) => ({ id, nombre: id, nodo: null })));
    await db.transaction().execute(async (trx) => {
      await saveCredential(trx, 'mercadolibre', { account: 'marcas', label: null, secrets: {} });
      await trx
        .insertInto('mercadolibreCuenta')
        .values({ cuenta: 'marcas', etiquetas: ['warehouse_management', 'multiwarehouse'], almacenes })
        .execute();
    });
    const { huella } = (await readAlmacenes(db, 'ml'))!;
    const elige = (almacen: string) => (trx: Trx) => chooseAlmacen(trx, { market: 'ml', almacen, huella }, sa.id);
    return dosVeces(elige('A'), elige('B'));
  },
  'tiendasConfiguracion#frescura': async () => {
    const { version } = (await listConfigurados(db)).find(({ value }) => value === 'tvc')!.frescura;
    const guarda = (frescuraMin: number) => (trx: Trx) =>
      saveFrescura(trx, { proveedor: 'tvc', frescuraMin, version }, sa.id);
    return dosVeces(guarda(60), guarda(90));
  },
  'empresas#editar': () => empresa((trx, row) => renameEmpresa(trx, sa, { ...row, nombre: 'Otra' })),
  'empresas#estatus': () => empresa((trx, row) => setEmpresaActiva(trx, sa, { ...row, activo: false })),
  'usuarios#informacion': () =>
    usuario((trx, row) =>
      updateUsuario(trx, sa, {
        ...row,
        nombre: 'A',
        apellidos: 'B',
        usuario: 'ab',
        email: 'ab@correo.test',
        rol: 'user',
      }),
    ),
  'usuarios#estatus': () => usuario((trx, row) => setActivo(trx, sa, { ...row, activo: false })),
  'usuarios#password': () =>
    usuario((trx, { id, version }) => changePassword(trx, sa, id, 'Cambiada#9', { version, mostrado: {} })),
  'agentesVentas#estatus': () =>
    agente((trx, { id, version }) => setAgenteActivo(trx, { id, version, activo: false }, sa.id)),
  'agentesVentas#editar': () => agente((trx, row) => saveAgente(trx, { ...row, apellidos: 'Ruiz' }, sa.id)),
  'proveedores#editar': async () => {
    const row = await db.selectFrom('proveedor').selectAll().where('value', '=', 'syscom').executeTakeFirstOrThrow();
    return {
      act: () => inTrx((trx) => saveProveedor(trx, { ...row, label: 'Otra' }, sa.id)),
      move: bump('proveedor', 'value', 'syscom'),
    };
  },
  'datosFiscales#guardar': async () => {
    const row = await db
      .selectFrom('clienteFiscal')
      .selectAll()
      .where('rfc', '=', CLIENTES[0].rfc)
      .executeTakeFirstOrThrow();
    const { id, version, razonSocial, cp, regimen } = row;
    const fields = {
      intent: 'guardar',
      id,
      version: String(version),
      razonSocial,
      cp,
      regimen,
      email: 'otro@correo.test',
      confirmado: '1',
    };
    return { act: () => actClientes(args(fields)), move: bump('cliente_fiscal', 'id', id) };
  },
  'facturasClientes#cancelar': async () => {
    const { id: facturaId } = await buildFactura(db, {});
    const { huella } = await cancelableOf(db, facturaId, now());
    return {
      act: () => requestCancelacion(db, { facturaId, motivo: '02', usuarioId: sa.id, now: now(), huella }),
      move: (trx) => trx.updateTable('factura').set({ estatus: 'cancelando' }).where('id', '=', facturaId).execute(),
      dice: /ya está en proceso/,
    };
  },
  '#gananciaPropia': async () => {
    const { id } = await db
      .insertInto('producto')
      .values({ proveedor: 'tvc', idProveedor: 'PROPIA', enVenta: true, huella: '' })
      .onConflict((on) => on.columns(['proveedor', 'idProveedor']).doUpdateSet({ huella: '' }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const huella = huellaOfGanancias(propiasEscritas((await readPropias(db, [id])).get(id)));
    const guarda = (ml: string) => (trx: Trx) => savePropias(trx, { id, ml, premium: null, amz: null, huella }, sa.id);
    return dosVeces(guarda('0.2'), guarda('0.3'));
  },
  'devoluciones#crear': async () => {
    const orden = await buildOrden(db);
    const recibe = () => (trx: Trx) =>
      createDevolucion(
        trx,
        {
          ...DevolucionForm.parse({
            clave: randomUUID(),
            orden: orden.id,
            recibidas: 0,
            cantidad: '1',
            costo: '7',
            proveedor: 'syscom',
          }),
          factura: null,
        },
        sa.id,
      );
    return dosVeces(recibe(), recibe());
  },
  'productos#guardar': () =>
    producto((trx, row) =>
      saveProducto(trx, { ...row, productoMaximo: 2, costoEnvio: null, precioLista: null, autoOrden: false }, sa.id),
    ),
  '#guardarPieza': () =>
    pieza((trx, row) =>
      savePieza(
        trx,
        {
          ...PiezaEditada.parse({ ...row, estado: 'disponible', proveedor: 'syscom', costo: '7' }),
          factura: null,
        },
        sa.id,
      ),
    ),
  '#moverPieza': () => pieza((trx, row) => changeEstado(trx, { ...row, estado: 'baja' }, sa.id)),
  'conciliacion#anotarDeposito': async () => {
    const { depositoId: id } = await buildLiquidacion(db);
    const { version } = await db
      .selectFrom('deposito')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const nota = { id, version, motivo: 'Tarifa nueva' };
    return { act: () => inTrx((trx) => note(trx, 'deposito', nota, sa.id)), move: bump('deposito', 'id', id) };
  },
  'conciliacion#anotarVenta': async () => {
    const { conDiferencia: id } = await buildLiquidacion(db);
    const nota = { id, version: 1, motivo: 'Tarifa nueva' };
    return {
      act: () => inTrx((trx) => note(trx, 'conciliacion', nota, sa.id)),
      move: bump('conciliacion', 'orden_id', id),
    };
  },
  'conciliacion#decirMotivo': async () => {
    const { id, version } = await buildSuelto(db);
    return {
      act: () => inTrx((trx) => decideSuelto(trx, { id, version, motivo: 'otroCanal' }, sa.id)),
      move: bump('suelto', 'id', id),
    };
  },
  'conciliacion#buscarVenta': async () => {
    const { id, version } = await buildSuelto(db);
    return { act: () => inTrx((trx) => requestVenta(trx, { id, version }, sa.id)), move: bump('suelto', 'id', id) };
  },
  'conciliacion#tolerancia': async () => {
    const { version } = await db.selectFrom('conciliacionRegla').select('version').executeTakeFirstOrThrow();
    return {
      act: () => inTrx((trx) => saveRegla(trx, { version, tolerancia: '2.00' }, sa.id)),
      move: (trx) => sql`update conciliacion_regla set version = version + 1`.execute(trx),
    };
  },
  '#deshacerPieza': () => pieza((trx, row) => undoMovimiento(trx, row, sa.id)),
  '#venderPieza': () => pieza((trx, row) => sellPieza(trx, { ...row, venta: 'la-que-sea' }, sa.id)),
  'publicaciones#editarPublicacion': async () => {
    const row = await db
      .insertInto('publicacion')
      .values({ market: 'ml', clave: randomUUID(), titulo: 'Cámara', precio: '500.00', stock: 3, estatus: 'active' })
      .returning(['id', 'version', 'titulo', 'stock', 'estatus', 'autoSync'])
      .executeTakeFirstOrThrow();
    const editada = { ...row, stock: 2, precio: '500.00' };
    return {
      act: () => db.transaction().execute((trx) => editPublicacion(trx, editada, sa.id)),
      move: bump('publicacion', 'id', row.id),
    };
  },
  '#autoOrden': () => producto((trx, row) => saveAutoOrden(trx, { ...row, autoOrden: true }, sa.id)),
  'tokens#ajustes': async () => {
    const { enlaceDias, subirCfdiMl } = await readAjustesFacturacion(db);
    const huella = huellaOfAjustes(await readAjustesFacturacion(db));
    const cambio = { enlaceDias: enlaceDias + 1, subirCfdiMl, enlaceAutomatico: false };
    return {
      act: () => saveAjustesFacturacion(db, { ...cambio, huella }, sa.id),
      async move(trx) {
        await lockName(trx, 'ajustes');
        await sql`insert into ajuste (clave, valor) values ('enlace_dias', '3') on conflict (clave) do update set valor = excluded.valor`.execute(
          trx,
        );
      },
    };
  },
  '#editarFactura': () =>
    proveedorFactura((trx, row) =>
      updateProveedorFactura(trx, { ...row, proveedor: 'syscom', folio: 'X-1', monto: '11.00' }, sa.id),
    ),
  '#eliminarFactura': () => proveedorFactura((trx, row) => deleteProveedorFactura(trx, row, sa.id)),
  '#descartarXml': () => cfdiDeProveedorVisto((trx, visto) => discardCfdi(trx, visto, sa.id)),
  '#repartirXml': () =>
    cfdiDeProveedorVisto((trx, visto) =>
      applyReparto(trx, { ...visto, proveedor: 'syscom', folio: 'R-1', filas: [] }, sa.id),
    ),
  'public/datosEnvio#guardar': async () => {
    const { numOrden, envioId } = await buildOrden(db, { envioPropio: true });
    const { huella } = (await readPropioOfNumero(db, numOrden))!;
    const { nombreReceptor: nombre, ...donde } = ENVIO;
    const datos = { ...donde, nombre, entrega: 'domicilio' as const, numeroE: '1', huella };
    return {
      act: () => inTrx((trx) => saveDatosCliente(trx, numOrden, datos, null)),
      move: (trx) => trx.updateTable('envio').set({ calle: 'Otra calle' }).where('id', '=', envioId!).execute(),
    };
  },
  '#envio': () => envioPropio({ intent: 'envio', ...ENVIO }),
  '#direccion': direccionAjena,
  '#comprarGuia': () => envioPropio({ intent: 'comprarGuia', ...GUIA }),
  '#cancelarGuia': () => envioPropio({ intent: 'cancelarGuia' }),
  '#decidirDevuelta': pagadaSinEntregar,
  '#corregirCosto': () => envioPropio({ intent: 'corregirCosto', costo: '90.00', cotizado: '95.00' }),
  'cotizarEnvios#costo': () => envioPropio({ intent: 'costo', costo: '90.00' }),
  'cotizarEnvios#ocurre': () => envioPropio({ intent: 'ocurre', costo: '90.00', ...ENVIO }),
  '#paqueteria': () =>
    envioPropio({
      intent: 'paqueteria',
      estatus: 'enPreparacion',
      paqueteria: 'DHL',
      guia: '123',
      paqueteriaUrl: 'https://dhl.test/123',
    }),
  ...Object.fromEntries(
    (['actualizarArticulos', 'editar', 'cancelarEdicion', 'otro', 'limpiar'] as const).map((intent) => [
      `facturacion#${intent}`,
      () => borrador({ intent }),
    ]),
  ),
  'facturacion#corregir': async () => {
    const { effectId } = (await acceptFacturas(db, sa, 1))[0]!;
    await sql`update effect set state = 'refused', settled_at = now() where id = ${effectId}`.execute(db);
    const { id, version } = await db
      .selectFrom('facturaDraft')
      .select(['id', 'version'])
      .where('effectId', '=', effectId)
      .executeTakeFirstOrThrow();
    const fields = { intent: 'corregir', paso: '1', version: String(version) };
    return { act: () => actFacturacion(args(fields, `?borrador=${id}`)), move: bump('factura_draft', 'id', id) };
  },
  'facturacion#articulos': () =>
    borrador({
      intent: 'articulos',
      'articulos[0].nombre': 'Otra',
      'articulos[0].codigoSat': '46171610',
      'articulos[0].cantidad': '1',
      'articulos[0].precioUnitario': '116.00',
    }),
  'facturacion#buscarRfc': () => borrador({ intent: 'buscarRfc', rfc: CLIENTES[2].rfc }),
  'facturacion#guardar': () => borrador({ intent: 'guardar', ...CLIENTES[0], email: 'a@correo.test' }),
  'facturacion#crear': () => borrador({ intent: 'crear', ...REVISION(), pagado: '116.00' }),
  'facturacion#facturar': async () => {
    const { numOrden, ...venta } = await buildVenta(db);
    const draft = await buildBorrador(db, { numOrden, ...venta }, sa);
    const { mostrado } = marcasOf(draft.version, mostradoOf(draft));
    const fields = { version: String(draft.version), mostrado, numOrden, pagado: '116.00', ...REVISION() };
    return {
      act: () => actFacturacion(args({ intent: 'facturar', confirmado: '1', ...fields })),
      move: bump('factura_draft', 'id', draft.id),
    };
  },
  'notaSencilla#articulos': () =>
    nota({
      intent: 'articulos',
      'articulos[0].nombre': 'Otra',
      'articulos[0].codigoSat': '46171610',
      'articulos[0].cantidad': '1',
      'articulos[0].precioUnitario': '12.00',
    }),
  'notaSencilla#datos': () =>
    nota({
      intent: 'datos',
      nombre: 'Ana',
      apellidos: 'Ríos',
      telefono: '5512345678',
      email: 'a@correo.test',
      cp: '06700',
      colonia: 'Roma Norte',
      calle: 'Orizaba',
      numeroExterior: '1',
      ciudad: 'CDMX',
      municipio: 'Cuauhtémoc',
      estado: 'CDMX',
    }),
  'facturacion#anotar': () => borrador({ intent: 'anotar', formaPago: '28' }),
  'notaSencilla#anotar': () => nota({ intent: 'anotar', fecha: addDays(civilDay(now()), -1) }),
  'notaSencilla#buscarCp': () => nota({ intent: 'buscarCp', cp: '06700' }),
  'notaSencilla#crear': () => nota({ intent: 'crear', fecha: civilDay(now()) }),
  '#folioCotizacion': cotizacion,
  '#editarPago': () =>
    pago((trx, visto) =>
      savePago(trx, { ...visto, folio: 'F-9', fecha: null, total: null, claveRastreo: null, banco: null }, sa.id),
    ),
  '#agregarOrdenes': () => pago((trx, visto) => addOrdenes(trx, { ...visto, otras: '1' }, sa.id)),
  '#repartirPago': () => pago((trx, visto) => saveMonto(trx, { ...visto, monto: '1.00' }, sa.id)),
  '#quitarOrden': () => pago((trx, visto) => removeOrden(trx, visto, sa.id)),
  '#eliminarPago': () => pago((trx, visto) => deletePago(trx, visto, sa.id)),
  '#confirmarPedido': () => pedido((trx, vista) => confirmPedido(trx, vista, sa.id)),
  '#quitarPedido': () => pedido((trx, vista) => discardPedido(trx, vista, sa.id)),
  '#folioPedido': () => pedido((trx, vista) => noteFolio(trx, { ...vista, folio: 'F-1' }, sa.id)),
  '#cancelarPedido': () => pedido((trx, vista) => cancelPedido(trx, { ...vista, motivo: 'Se habló.' }, sa.id)),
  '#reenviarPedido': () => pedido((trx, vista) => resendCorreo(trx, vista, sa.id)),
  '#responder': () =>
    pregunta((trx, vista) => acceptRespuesta(trx, { pregunta: vista.id, version: vista.version, texto: 'Sí' }, sa.id)),
  '#editarPlantilla': () =>
    plantilla((trx, { id, version }) =>
      savePlantilla(trx, { plantilla: id, version, nombre: `Otra ${id}`, texto: 'Otro texto' }, sa.id),
    ),
  '#eliminarPlantilla': () =>
    plantilla((trx, { id, version }) => removePlantilla(trx, { plantilla: id, version }, sa.id)),
  'pendientes#existe': () => decidir('existe', { uuid: UUID }),
  'pendientes#noExiste': () =>
    decision(({ effectId, huella }) => resolveAsAbsent(effectRuntime(db), effectId, sa.id, huella)),
  'pendientes#enviar': () => decidir('enviar'),
  'pendientes#entendido': () => decidir('entendido'),
  'public/facturacion#guardar': () => publico({ intent: 'guardar' }),
  'public/facturacion#buscarRfc': () => publico({ intent: 'buscarRfc', rfc: CLIENTES[2].rfc }),
  'public/facturacion#anotar': () => publico({ intent: 'anotar', usoCfdi: 'G01' }),
  'public/facturacion#crear': () => publico({ intent: 'crear', usoCfdi: 'G03' }),
  'public/facturacion#editar': () => publico({ intent: 'editar' }),
  'public/facturacion#otro': () => publico({ intent: 'otro' }),
};

/** Screens with a list of sales. */
const DE_VENTAS = ['ordenes', 'ordenesCanceladas', 'cotizarEnvios', 'llenarReporte', 'ordenesActivas', 'mensual'];
/** Forms with a mark that have no race of their own, and why. */
const SIN_CARRERA: Record<string, string> = {
  ...Object.fromEntries(DE_VENTAS.map((screen) => [`${screen}#cotizarGuia`, 'It writes nothing.'])),
  'tokens#remitente': 'Its one statement writes only the version that was shown.',
  'reclamos#escribirEnReclamo': 'Its row is held before its mark is compared; reclamos.test tells it.',
  'reclamos#resolverReclamo': 'Its row is held before its mark is compared; reclamos.test tells it.',
  'tiendasConfiguracion#aplicarLista': 'Its row is held before its mark is compared; listaPrecios.test tells it.',
  'tokens#descartarAviso': 'The mark is the notice itself.',
  'publicaciones#excluirPromocion': 'The promotion is held before its mark is compared; promociones.test tells it.',
  'publicaciones#decidirRetenida': 'The listing is held before its mark is compared; seguir.test tells it.',
  'datosUsuario#informacion': 'The command of catalogos/usuarios.',
  'datosUsuario#password': 'The command of catalogos/usuarios.',
  'ganchos#quitar': 'Its one statement writes only the version that was shown.',
  'ganchos#rotar': 'Its one statement writes only the version that was shown.',
  'facturacion#elegir': 'It writes as guardar does.',
  'facturacion#retirar': 'It takes back the request that its draft names; the effect is held and its state compared.',
  'facturacion#siguiente': 'It writes nothing.',
  'facturacionGeneral#emitir':
    'Its mark is read when the sales of the month are held; facturacionGeneral.test tells it.',
  'buscador#guardar': 'The command of catalogos/productos.',
  'cotizarEnvios#buscarCp': 'It writes nothing.',
  'ordenesCT#releerPedido': 'It reads the catalogue again and writes nothing of the pedido.',
  'ordenesPorConfirmar#releerPedido': 'It reads the catalogue again and writes nothing of the pedido.',
  'cambiarCategoria#cambiar': 'The listing is held before its mark is compared.',
  'cambiarCategoria#elegir': 'It writes nothing.',
  'publicadorML#categoria': 'The statement that writes its draft compares its mark; publicar.test tells it.',
  'publicadorML#caracteristicas': 'It writes as categoria does.',
  'publicadorML#oferta': 'It writes as categoria does.',
  'publicadorML#publicar': 'It writes as categoria does.',
  'pendientes#conFolio': 'The command of existe.',
  'pendientes#hecho': 'The command of existe.',
  'pendientes#repetida': 'Its mark is compared as that of enviar, in the transaction of the command.',
  'public/datosEnvio#buscarCp': 'It writes nothing.',
  'public/facturacion#corregirFactura': 'The draft is held before its mark is compared; correccion.test tells it.',
  'public/facturacion#dejarCorreccion': 'The draft is held before its mark is compared.',
  'public/facturacion#elegir': 'It writes as guardar does.',
  'public/facturacion#leerConstancia': 'It writes nothing.',
};
const modules = import.meta.glob<{ action?: ScreenAction }>('../../app/routes/**/*.{ts,tsx}', { eager: true });
const marcados = Object.entries(modules).flatMap(([path, { action }]) =>
  Object.entries(action?.marcas ?? {})
    .filter(([, marcas]) => marcas.length > 0)
    .map(([intent]) => `${screenName(path)}#${intent}`),
);

test('every form with a mark has its race here, or says why it has none', () => {
  const told = (name: string) => [name, name.replace(/^.*#/, '#')].some((key) => key in CARRERAS || key in SIN_CARRERA);
  expect(marcados.filter((name) => !told(name))).toEqual([]);
  expect(Object.keys(SIN_CARRERA).filter((name) => !marcados.includes(name))).toEqual([]);
});

describe('a mark is compared with what stands when the command acts', () => {
  test.each(Object.entries(CARRERAS))('%s', async (_, carrera) => {
    const race = await carrera();
    const answer = await run(race);
    if (race.dice) expect(String(answer)).toMatch(race.dice);
    else expect(choqueOf(answer), JSON.stringify(answer)).toBeDefined();
  });
});

/** The trace that a look-up of an RFC which nobody has leaves in a draft. */
const buscado = (trx: Trx, rfc: string) => {
  const cliente = JSON.stringify({ modo: 'nuevo', rfc, razonSocial: '', cp: '', regimen: '' });
  return sql`update factura_draft set version = version + 1, cliente = cliente || ${cliente}::jsonb
    where id = (select id from factura_draft order by id desc limit 1)`.execute(trx);
};

test.each(['facturacion#guardar', 'public/facturacion#guardar'])(
  'a look-up of the same RFC that ends while the receiver is being saved is no change by somebody else: %s',
  async (name) => {
    const race = await CARRERAS[name]!();
    const answer = await run({ ...race, move: (trx) => buscado(trx, CLIENTES[0].rfc) });
    expect(choqueOf(answer), JSON.stringify(answer)).toBeUndefined();
  },
);
