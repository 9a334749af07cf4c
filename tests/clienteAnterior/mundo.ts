import { openSession } from '~/domain/personal/sesiones.server';
import { ROLES, type Rol } from '~/core/usuario';
import type { Db } from '~db/client.server';
import { buildEnlace } from '../support/builders/enlaces';
import { buildFactura } from '../support/builders/facturas';
import { buildOrden as buildDelMes } from '../support/builders/mes';
import { buildOrden, claimOrden } from '../support/builders/ordenes';
import { buildProducto, buildVentaDe, openProveedores, pedir } from '../support/builders/pedidos';
import { buildPorPublicar } from '../support/builders/publicador';
import { buildPiezas } from '../support/builders/stock';
import { buildVenta, CLIENTES } from '../support/builders/ventas';
import { linkSandbox } from '../support/mercadolibre';
import type { SandboxClient } from '../support/sandboxClient';
import { buildUsuarios } from '../support/web';
import type { Mundo } from './llamadas';

const HORA = 3_600_000;
const hace = (horas: number) => new Date(Date.now() - horas * HORA);

/** A listing that is on sale at the marketplace too. */
async function buildPublicada(db: Db, sandbox: SandboxClient, productoId: string | null, clave: string) {
  await sandbox.mercadolibre.post(`/publicaciones/${clave}`, {
    title: 'Cable',
    price: '250',
    quantity: 4,
    sinAviso: true,
  });
  return db
    .insertInto('publicacion')
    .values({
      market: 'ml',
      clave,
      marketId: clave,
      titulo: `Cable ${clave}`,
      precio: '250',
      stock: 4,
      estatus: 'active',
      tipo: 'gold_special',
      categoriaId: 'MLM167538',
      productoId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Something of each noun that the old client knows, and a session of each role. */
export async function buildMundo(db: Db, sandbox: SandboxClient) {
  const ids = await buildUsuarios(db);
  const tokens = {} as Record<Rol, string>;
  for (const rol of ROLES)
    tokens[rol] = await db.transaction().execute((trx) => openSession(trx, { id: ids[rol] }, true));
  await linkSandbox(db, sandbox);
  await openProveedores(db, sandbox, ['ct', 'syscom']);

  const orden = await buildOrden(db);
  const [amz] = [await buildOrden(db, { market: 'amz', numOrden: '701-1234567-1234567' })];
  const vieja = await buildOrden(db, { fechaCreacion: hace(60) });
  const propia = await buildOrden(db, { envioPropio: true, envio: null });
  const deEnvio = await buildOrden(db, { envioPropio: true, envio: null });
  const facturada = await buildOrden(db);
  const factura = await buildFactura(db, { numOrden: facturada.numOrden, folio: 9_001 });
  await claimOrden(db, facturada.id, factura);
  const [porFacturar, publica] = [await buildVenta(db), await buildVenta(db)];
  const delMes = await buildDelMes(db, { fecha: '2025-01-03T18:00:00Z' });
  const [porConfirmar, porQuitar] = [
    await buildVentaDe(db, sandbox, 'ct', { n: 1 }),
    await buildVentaDe(db, sandbox, 'ct', { n: 2 }),
  ];
  const enLista = await buildVentaDe(db, sandbox, 'ct', { n: 3 });
  await db.updateTable('oferta').set({ tipoCambio: '18.00' }).where('moneda', '=', 'USD').execute();
  for (const venta of [porConfirmar, porQuitar, enLista]) await pedir(db, venta, 'ct');
  const deSyscom = await buildProducto(db, sandbox, 'syscom', 1);
  const producto = await buildPorPublicar(db);
  const [porPublicar, otroPorPublicar, productoDeStock] = [
    await buildPorPublicar(db),
    await buildPorPublicar(db),
    await buildPorPublicar(db),
  ];
  await db
    .updateTable('producto')
    .set({ imagenes: ['https://ftp3.syscom.mx.invalid/no-existe.png'] })
    .where('id', 'in', [porPublicar.id, otroPorPublicar.id])
    .execute();
  const publicacion = await buildPublicada(db, sandbox, producto.id, 'MLM3700000001');
  const [pieza] = await buildPiezas(db, ids.sa, { producto: producto.id, orden: orden.id });
  const { id: pregunta } = await sandbox.mercadolibre.post<{ id: string }>('/preguntas', {
    text: '¿Hay?',
    sinAviso: true,
  });
  const { from } = await sandbox.mercadolibre.get<{ from: string | number }>(`/preguntas/${pregunta}`);
  const comprador = String(from);
  await db
    .insertInto('codigoPostal')
    .values({
      ...{ cp: '06600', asentamiento: 'Juárez', tipo: 'Colonia', municipio: 'Cuauhtémoc' },
      ...{ ciudad: 'Ciudad de México', estado: 'Ciudad de México', origen: 'demo' },
    })
    .onConflict((on) => on.doNothing())
    .execute();
  const dicho = { market: 'ml' as const, fecha: hace(2), leidaEn: new Date(), datos: '{}' };
  await db
    .insertInto('pregunta')
    .values([
      {
        ...dicho,
        marketId: String(pregunta),
        publicacionId: 'MLM3700000001',
        texto: '¿Hay?',
        estatus: 'pendiente',
        compradorId: comprador,
        marca: 'Saxxon',
        titulo: 'Cable',
      },
      {
        ...dicho,
        marketId: '2',
        publicacionId: 'MLM3700000001',
        texto: '¿Había?',
        estatus: 'respondida',
        respuesta: 'Sí.',
        respondidaEn: new Date(),
      },
    ])
    .execute();
  const { leidaEn: _, ...abierto } = dicho;
  await db
    .insertInto('reclamo')
    .values({
      ...abierto,
      marketId: '1',
      recurso: 'order',
      recursoId: '1',
      estatus: 'abierto',
      tipo: 'mediations',
      actualizadoEn: new Date(),
      leidoEn: new Date(),
    })
    .execute();
  const [cliente] = CLIENTES;
  const pac = await sandbox.facturacom.keys();
  const syscom = await sandbox.proveedor('syscom').get<Record<string, string>>('/llaves');
  const mundo = {
    token: tokens.sa,
    desde: hace(90 * 24).toISOString(),
    hasta: hace(-24).toISOString(),
    orden: orden.id,
    numOrden: publica.numOrden,
    porFacturar: porFacturar.numOrden,
    amz: amz!.id,
    vieja: vieja.id,
    propia: propia.numOrden,
    facturada: facturada.id,
    porConfirmar: porConfirmar.id,
    porQuitar: porQuitar.id,
    producto: producto.id,
    modelo: producto.modelo!,
    porPublicar: porPublicar.id,
    otroPorPublicar: otroPorPublicar.id,
    productoDeStock: productoDeStock.id,
    deSyscom: deSyscom.id,
    delMes: delMes.id,
    publicacion: publicacion.id,
    clave: 'MLM3700000001',
    pieza: pieza!.id,
    folio: pieza!.folio,
    pregunta: String(pregunta),
    comprador,
    enlace: (await buildEnlace(db, publica)).token,
    enlaceEnvio: (await buildEnlace(db, deEnvio, { proposito: 'datosEnvio' })).token,
    rfc: cliente.rfc,
    razonSocial: cliente.razonSocial,
    cp: cliente.cp,
    regimen: cliente.regimen,
    apiKey: pac.apiKey,
    secret: pac.secretKey,
    idUsuario: Object.values(syscom)[0]!,
    secretSyscom: Object.values(syscom)[1]!,
  } as Mundo;
  return { tokens, mundo };
}
