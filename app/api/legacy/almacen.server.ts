import { createReadableStreamFromReadable } from '@remix-run/node';
import { z } from 'zod';
import { civilDateTime } from '~/core/time';
import { NotAllowed } from '~/core/errors';
import { ESTADO_LABEL, ESTADOS, parseFolio, nombreOfPieza } from '~/domain/compras/stock/pieza';
import { drawEtiquetas } from '~/domain/compras/stock/drawEtiquetas.server';
import { etiquetasOf, MAX_ETIQUETAS } from '~/domain/compras/stock/etiquetas.server';
import { findEscaneado, listEstados, readFacturaOfPieza, readPieza } from '~/domain/compras/stock/readPiezas.server';
import { piezasOf, stockInternoList } from '~/domain/compras/stock/listStock.server';
import { changeEstado, createDevolucion, receiveFactura, savePieza } from '~/domain/compras/stock/piezas.server';
import { DevolucionForm, PiezaEditada } from '~/domain/compras/stock/forms';
import { ordenConTodo, ordenesOfNumero } from '~/domain/ventas/ordenes/ordenesConTodo.server';
import type { Db, Trx } from '~db/client.server';
import { readCallerOf, requireCall } from '../authenticate.server';
import { defineCall, defineOpenCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { formOf } from '../form.server';
import { found } from '../problem.server';
import { moverPieza } from '../v1/almacen.server';
import { Escrito, Hecho, hecho, Id, Instante, Numero, numero, Rango, shapeOf } from './shapes';

const alcance = 'stock';
const ver = { pantalla: 'stockInterno' } as const;
const ACTUALIZADO = 'Registro actualizado de forma correcta';

type Leida = NonNullable<Awaited<ReturnType<typeof readPieza>>>;
type Fila = Pick<
  Leida,
  | 'id'
  | 'folio'
  | 'estado'
  | 'costo'
  | 'recuperado'
  | 'observaciones'
  | 'descripcion'
  | 'facturaFolio'
  | 'facturaId'
  | 'proveedorLabel'
  | 'creadaEn'
  | 'productoNombre'
  | 'modelo'
  | 'link'
  | 'numOrden'
>;
const pieza = shapeOf<Fila>()({
  _id: [z.uuid(), 'id'],
  folio: [z.string(), 'folio'],
  status: [
    z.object({ value: z.enum(ESTADOS), label: z.string() }),
    ({ estado }) => ({ value: estado, label: ESTADO_LABEL[estado] }),
  ],
  cost: [Numero, ({ costo }) => numero(costo)],
  amountRecovered: [Numero, ({ recuperado }) => numero(recuperado)],
  observations: [z.string().nullable(), 'observaciones'],
  factura: [
    z.object({ folio: z.string().nullable(), supplier: z.string().nullable(), file: z.boolean() }),
    ({ facturaFolio, proveedorLabel, facturaId }) => ({
      folio: facturaFolio,
      supplier: proveedorLabel,
      file: facturaId !== null,
    }),
  ],
  dateCreated: [Instante, 'creadaEn'],
  producto: [
    z.array(z.object({ nombre: z.string(), modelo: z.string().nullable(), link: z.string().nullable() })),
    (fila) => [{ nombre: nombreOfPieza(fila), modelo: fila.modelo, link: fila.link }],
  ],
  orden: [z.array(z.object({ numOrden: z.string() })), ({ numOrden }) => (numOrden === null ? [] : [{ numOrden }])],
});

const Estados = z.array(z.object({ value: z.enum(ESTADOS), label: z.string() }));
const estados = async (db: Db | Trx) => (await listEstados(db)).map((value) => ({ value, label: ESTADO_LABEL[value] }));

const lista = defineCall({
  method: 'GET',
  path: '/api/internalStock/estatus',
  resumen: 'Los estatus del stock interno.',
  alcance,
  acceso: ver,
  answer: Estados,
  run: estados,
});

const Token = z.object({ token: z.string().min(1).max(200) });
/** 'todos' and nothing are every one of them. */
const Cual = z
  .string()
  .max(40)
  .transform((value) => (['todos', 'all', '0', 'undefined', 'null'].includes(value) ? '' : value));

/** A return as the old client writes it: what it leaves out is as it was. */
const Devolucion = z.object({
  orden: z.string().max(120).nullish().meta({ description: 'El id de la orden o su número.' }),
  producto: z.uuid().nullish(),
  status: z.string().max(40).optional(),
  cost: Escrito.optional(),
  amountRecovered: Escrito.optional(),
  observations: z.string().max(2_000).nullish(),
  folioF: z.string().max(60).nullish(),
  factura: z
    .object({ folio: z.string().max(60).nullish(), supplier: z.string().max(20).nullish() })
    .nullish()
    .meta({ description: 'supplier: el código del proveedor.' }),
});
const facturaRecibida = { campo: 'files', cuerpo: 'body', opcional: true } as const;
const operar = { derecho: 'stock.operar' } as const;

/** Nothing written is a field left out. */
const escrito = (text: string | null | undefined) => text?.trim() || undefined;

async function ordenOf(db: Db, orden: string | null | undefined): Promise<string | undefined> {
  if (!escrito(orden) || z.uuid().safeParse(orden).success) return escrito(orden);
  const [primera] = await ordenesOfNumero(db, orden!);
  if (!primera) throw new NotAllowed('Error al agregar.', `No hay una orden ${orden}.`, { campo: 'orden' });
  return primera.id;
}

/** The number of a sale, which may be said by its id. */
async function numeroOf(db: Db, orden: string | null): Promise<string | undefined> {
  const id = z.uuid().safeParse(orden);
  return id.success ? (await found(ordenConTodo(db, id.data))).numOrden : escrito(orden);
}

export const almacenAnterior: Call[] = [
  lista,
  defineOpenCall({
    method: 'GET',
    path: '/api/internalStock/estatus/{token}',
    resumen: 'Los estatus del stock interno, para el token de una sesión.',
    params: Token,
    answer: Estados,
    async run(db, { params: { token } }) {
      requireCall(await readCallerOf(db, token), lista);
      return estados(db);
    },
  }),
  defineOpenCall({
    method: 'PUT',
    path: '/api/internalStock/estatus/{token}',
    resumen: 'Cambia el estatus de una pieza, con el token de una sesión.',
    params: Token,
    body: z.object({ _id: z.uuid(), status: z.enum(ESTADOS), token: z.string().optional() }),
    answer: Hecho,
    async run(db, { params: { token }, body: { _id: id, status: estado } }) {
      const caller = await readCallerOf(db, token);
      requireCall(caller, moverPieza);
      await db.transaction().execute(async (trx) => {
        const { version } = await found(readPieza(trx, id));
        await changeEstado(trx, { id, version, estado }, caller.usuario.id);
      });
      return hecho(ACTUALIZADO);
    },
  }),
  defineOpenCall({
    method: 'GET',
    path: '/api/internalStocks/{folio}/{token}',
    resumen: 'La pieza de un folio, para el token de una sesión.',
    params: Token.extend({ folio: z.string().max(40) }),
    answer: pieza.wire,
    async run(db, { params: { folio, token } }) {
      requireCall(await readCallerOf(db, token), lista);
      const hallado = await found(findEscaneado(db, parseFolio(folio) ?? folio));
      return pieza.of(await found(hallado.clase === 'pieza' ? readPieza(db, hallado.id) : Promise.resolve(undefined)));
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/internalStocks/{from}/{to}/{supplierValue}/{statusValue}',
    resumen: 'Las piezas de un rango, de un proveedor y en un estatus.',
    alcance,
    acceso: ver,
    params: z.intersection(Rango, z.object({ supplierValue: Cual, statusValue: Cual })),
    answer: z.array(pieza.wire),
    run: async (db, { params: { from, to, supplierValue: proveedor, statusValue: estado }, usuario }) =>
      (
        await gather(
          db,
          stockInternoList,
          {
            desde: civilDateTime(from).slice(0, 16),
            hasta: civilDateTime(to).slice(0, 16),
            ...(proveedor && { proveedor }),
            ...(estado && { estado }),
          },
          usuario,
        )
      ).map(pieza.of),
  }),
  defineCall({
    method: 'GET',
    path: '/api/internalStocks/{id}',
    resumen: 'Las piezas de una orden o de un producto.',
    alcance,
    acceso: ver,
    params: Id,
    answer: z.array(pieza.wire),
    run: async (db, { params: { id } }) => (await piezasOf(db, id)).map(pieza.of),
  }),
  defineCall({
    method: 'GET',
    path: '/api/internalStocks/file/{returnId}',
    resumen: 'La factura de una pieza.',
    alcance,
    acceso: ver,
    params: z.object({ returnId: z.uuid() }),
    answer: z.object({ factura: z.object({ file: z.array(z.int()), nombre: z.string() }) }),
    async run(db, { params: { returnId } }) {
      const { archivo, nombre } = await found(readFacturaOfPieza(db, returnId));
      return { factura: { file: [...new Uint8Array(archivo.contenido)], nombre } };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/internalStock',
    resumen: 'Crea una devolución: tantas piezas, cada una con su folio. Responde los folios.',
    alcance,
    acceso: operar,
    recibe: facturaRecibida,
    body: Devolucion.extend({ cantidad: Escrito.optional() }),
    answer: z.array(z.string()),
    async run(db, { body, archivos, usuario, clave }) {
      const devolucion = formOf(DevolucionForm, {
        clave,
        orden: await ordenOf(db, body.orden),
        producto: body.producto ?? undefined,
        estado: body.status,
        proveedor: escrito(body.factura?.supplier),
        cantidad: body.cantidad,
        observaciones: escrito(body.observations),
        folioFactura: escrito(body.folioF) ?? escrito(body.factura?.folio),
        costo: body.cost,
        recuperado: body.amountRecovered,
        factura: archivos[0],
      });
      const recibida = await receiveFactura(devolucion);
      return db.transaction().execute((trx) => createDevolucion(trx, recibida, usuario.id));
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/internalStock',
    resumen: 'Cambia una devolución.',
    alcance,
    acceso: operar,
    recibe: facturaRecibida,
    body: Devolucion.extend({
      _id: z.uuid(),
      eliminarFactura: z.boolean().optional(),
      version: z.int().min(0).optional(),
    }),
    answer: pieza.wire,
    async run(db, { body, archivos, usuario }) {
      const antes = await found(readPieza(db, body._id));
      const editada = formOf(PiezaEditada, {
        id: body._id,
        version: body.version ?? antes.version,
        orden: body.orden === undefined ? (antes.numOrden ?? undefined) : await numeroOf(db, body.orden),
        estado: body.status ?? antes.estado,
        proveedor: escrito(body.factura?.supplier) ?? antes.proveedor ?? undefined,
        observaciones: escrito(body.observations === undefined ? antes.observaciones : body.observations),
        folioFactura: escrito(body.folioF) ?? escrito(body.factura?.folio) ?? antes.facturaFolio ?? undefined,
        costo: body.cost ?? antes.costo.toFixed(2),
        recuperado: body.amountRecovered ?? antes.recuperado.toFixed(2),
        factura: archivos[0],
        eliminarFactura: body.eliminarFactura ? '1' : undefined,
        producto: body.producto ?? undefined,
      });
      const recibida = await receiveFactura(editada);
      await db.transaction().execute((trx) => savePieza(trx, recibida, usuario.id));
      return pieza.of(await found(readPieza(db, body._id)));
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/internalStock/qr',
    resumen: 'Las etiquetas QR de unas piezas, en un PDF.',
    alcance,
    acceso: ver,
    soloLee: true,
    archivo: 'application/pdf',
    body: z.object({ folios: z.array(z.string().max(40)).min(1).max(MAX_ETIQUETAS) }),
    answer: z.string(),
    async run(db, { body: { folios } }) {
      const halladas = await Promise.all(folios.map((folio) => findEscaneado(db, folio)));
      const piezas = halladas.flatMap((hallada) => (hallada?.clase === 'pieza' ? [hallada.id] : []));
      if (piezas.length < folios.length) throw new NotAllowed('Error.', 'Alguno de los folios no existe.');
      const pdf = drawEtiquetas(await etiquetasOf(db, { piezas }), 'rollo50');
      return new Response(createReadableStreamFromReadable(pdf), {
        headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': 'attachment; filename="codigos-qr.pdf"' },
      });
    },
  }),
];
