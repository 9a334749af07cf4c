import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { civilDateTime, toInstant } from '~/core/time';
import { NotAllowed } from '~/core/errors';
import { ESTADO_LABEL, ESTADOS, parseFolio, nombreOfPieza } from '~/domain/compras/stock/pieza';
import { drawEtiquetas } from '~/domain/compras/stock/drawEtiquetas.server';
import { etiquetasOf, MAX_ETIQUETAS } from '~/domain/compras/stock/etiquetas.server';
import { datosDePiezas } from '~/domain/compras/stock/datosDePiezas.server';
import { findEscaneado, listEstados, readFacturaOfPieza, readPieza } from '~/domain/compras/stock/readPiezas.server';
import { piezasOf, stockInternoList } from '~/domain/compras/stock/listStock.server';
import { changeEstado, createDevolucion, receiveFactura, savePieza } from '~/domain/compras/stock/piezas.server';
import { DevolucionForm, PiezaEditada } from '~/domain/compras/stock/forms';
import type { Db, Trx } from '~db/client.server';
import { readCallerOf, requireCall } from '../authenticate.server';
import { defineCall, defineOpenCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { formOf } from '../form.server';
import { found } from '../problem.server';
import { moverPieza } from '../v1/almacen.server';
import { datosOf } from './productos.server';
import { Escrito, Hecho, hecho, Id, Instante, Numero, numero, Rango, shapeOf } from './shapes';

const alcance = 'stock';
const ver = { pantalla: 'stockInterno' } as const;
const ACTUALIZADO = 'Registro actualizado de forma correcta';

type Datos = NonNullable<ReturnType<Awaited<ReturnType<typeof datosDePiezas>>['get']>>;
type Fila = Pick<
  NonNullable<Awaited<ReturnType<typeof readPieza>>>,
  | 'id'
  | 'folio'
  | 'estado'
  | 'costo'
  | 'recuperado'
  | 'observaciones'
  | 'descripcion'
  | 'facturaFolio'
  | 'proveedorLabel'
  | 'creadaEn'
  | 'productoNombre'
  | 'modelo'
  | 'link'
  | 'numOrden'
> & { datos: Datos };

const texto = z.string().nullable();
const Estado = z.object({ value: z.enum(ESTADOS), label: z.string() });
const estadoDicho = (value: (typeof ESTADOS)[number]) => ({ value, label: ESTADO_LABEL[value] });

/** A file as the old client's server sent one; its bytes stand where one piece is asked for. */
const Archivo = z.object({
  originalname: z.string(),
  mimetype: z.string(),
  buffer: z.object({ type: z.literal('Buffer'), data: z.array(z.int()) }).optional(),
});
const ProductoDePieza = z.object({
  _id: z.uuid().nullable(),
  nombre: z.string(),
  proveedor: texto,
  modeloProveedor: texto,
  modelo: texto,
  link: texto,
  datos: z.object({ sku: texto, tvc_id: texto, link: texto }),
});
const OrdenDePieza = z.object({ _id: z.uuid(), numOrden: z.string(), marketId: z.string(), market: z.enum(MARKETS) });

const fields = shapeOf<Fila>()({
  _id: [z.uuid(), 'id'],
  folio: [z.string(), 'folio'],
  status: [Estado, ({ estado }) => estadoDicho(estado)],
  statusHistory: [
    z.array(z.object({ status: z.string(), value: z.enum(ESTADOS), date: Instante })),
    ({ datos }) => datos.estados.map(({ a, en }) => ({ status: ESTADO_LABEL[a], value: a, date: toInstant(en) })),
  ],
  cost: [Numero, ({ costo }) => numero(costo)],
  amountRecovered: [Numero, ({ recuperado }) => numero(recuperado)],
  observations: [texto, 'observaciones'],
  factura: [
    z.object({
      folio: texto,
      supplier: texto.meta({ description: 'El código del proveedor, como se manda.' }),
      supplierLabel: texto,
      file: Archivo.nullable(),
    }),
    ({ facturaFolio, proveedorLabel, datos }) => ({
      folio: facturaFolio,
      supplier: datos.proveedor,
      supplierLabel: proveedorLabel,
      file:
        datos.facturaId === null
          ? null
          : { originalname: datos.facturaNombre ?? '', mimetype: datos.facturaTipo ?? '' },
    }),
  ],
  dateCreated: [Instante, 'creadaEn'],
});

const productoOf = (fila: Fila) => ({
  _id: fila.datos.productoId,
  nombre: nombreOfPieza(fila),
  proveedor: fila.datos.productoProveedor ?? fila.datos.proveedor,
  modeloProveedor: fila.modelo,
  modelo: fila.modelo,
  link: fila.link,
  datos: datosOf({
    proveedor: fila.datos.productoProveedor ?? '',
    idProveedor: fila.datos.idProveedor ?? '',
    modelo: fila.modelo,
    link: fila.link,
  }),
});
const ordenDe = ({ numOrden, datos: { ordenId, market, marketId } }: Fila) =>
  ordenId === null ? null : { _id: ordenId, numOrden: numOrden!, marketId: marketId!, market: market! };

/** A piece of a list: product and orden are arrays, of which the old client reads the first. */
const Pieza = fields.wire.extend({ producto: z.array(ProductoDePieza), orden: z.array(OrdenDePieza) });
/** One piece by itself. */
const UnaPieza = fields.wire.extend({ producto: ProductoDePieza, orden: OrdenDePieza.nullable() });

async function piezasDichas(db: Db, filas: readonly Omit<Fila, 'datos'>[]) {
  const datos = await datosDePiezas(
    db,
    filas.map(({ id }) => id),
  );
  return filas.flatMap((sola) => {
    const suyos = datos.get(sola.id);
    if (!suyos) return [];
    const fila = { ...sola, datos: suyos };
    const orden = ordenDe(fila);
    return [{ ...fields.of(fila), producto: [productoOf(fila)], orden: orden ? [orden] : [] }];
  });
}

async function unaPieza(db: Db, id: string) {
  const [dicha] = await piezasDichas(db, [await found(readPieza(db, id))]);
  const { producto, orden, factura, ...pieza } = await found(Promise.resolve(dicha));
  const file = factura.file && (await archivoOf(db, id));
  return { ...pieza, producto: producto[0]!, orden: orden[0] ?? null, factura: { ...factura, file } };
}

async function archivoOf(db: Db, id: string) {
  const { archivo, nombre } = await found(readFacturaOfPieza(db, id));
  const buffer = { type: 'Buffer' as const, data: [...new Uint8Array(archivo.contenido)] };
  return { originalname: nombre, mimetype: archivo.tipo, buffer };
}

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

/** A key that may come as it was read: the noun itself, or a list of which the first counts. */
const clave = <S extends z.ZodType>(schema: S) =>
  z
    .preprocess((said) => {
      const one: unknown = Array.isArray(said) ? (said[0] ?? null) : said;
      if (typeof one !== 'object' || one === null) return one === '' ? null : one;
      return '_id' in one ? one._id : 'value' in one ? one.value : one;
    }, schema.nullish())
    .optional();

/** A return as the old client writes it: what it leaves out is as it was. */
const Devolucion = z.object({
  orden: clave(z.string().max(120)).meta({ description: 'El id de la orden o su número.' }),
  producto: clave(z.uuid()),
  status: clave(z.string().max(40)),
  cost: Escrito.optional(),
  amountRecovered: Escrito.optional(),
  observations: z.string().max(2_000).nullish(),
  folioF: z.string().max(60).nullish(),
  factura: z
    .object({ folio: z.string().max(60).nullish(), supplier: z.string().max(20).nullish() })
    .nullish()
    .meta({ description: 'supplier: el código del proveedor.' }),
});
/** The words of the old client for the fields of a return. */
const CAMPOS = {
  numOrden: 'orden',
  estado: 'status',
  proveedor: 'factura.supplier',
  observaciones: 'observations',
  folioFactura: 'folioF',
  costo: 'cost',
  recuperado: 'amountRecovered',
  factura: 'files',
};

const facturaRecibida = { campo: 'files', cuerpo: 'body', opcional: true } as const;
const operar = { derecho: 'stock.operar' } as const;

/** Nothing written is a field left out. */
const escrito = (text: string | null | undefined) => text?.trim() || undefined;

export const almacenAnterior: Call[] = [
  lista,
  defineOpenCall({
    method: 'GET',
    path: '/api/internalStock/estatus/{token}',
    resumen: 'Los estatus del stock interno, para el token de una sesión.',
    sucesor: 'GET /api/internalStock/estatus',
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
    sucesor: 'PATCH /api/v1/stock/{id}',
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
    sucesor: 'GET /api/v1/stock',
    params: Token.extend({ folio: z.string().max(40) }),
    answer: UnaPieza,
    async run(db, { params: { folio, token } }) {
      requireCall(await readCallerOf(db, token), lista);
      const hallado = await found(findEscaneado(db, parseFolio(folio) ?? folio));
      return unaPieza(db, (await found(Promise.resolve(hallado.clase === 'pieza' ? hallado : undefined))).id);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/internalStocks/{from}/{to}/{supplierValue}/{statusValue}',
    resumen: 'Las piezas de un rango, de un proveedor y en un estatus.',
    alcance,
    acceso: ver,
    params: z.intersection(Rango, z.object({ supplierValue: Cual, statusValue: Cual })),
    answer: z.array(Pieza),
    run: async (db, { params: { from, to, supplierValue: proveedor, statusValue: estado }, usuario }) =>
      piezasDichas(
        db,
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
        ),
      ),
  }),
  defineCall({
    method: 'GET',
    path: '/api/internalStocks/{id}',
    resumen: 'Las piezas de una orden o de un producto.',
    alcance,
    acceso: ver,
    params: Id,
    answer: z.array(Pieza),
    run: async (db, { params: { id } }) => piezasDichas(db, await piezasOf(db, id)),
  }),
  defineCall({
    method: 'GET',
    path: '/api/internalStocks/file/{returnId}',
    resumen: 'La factura de una pieza.',
    alcance,
    acceso: ver,
    params: z.object({ returnId: z.uuid() }),
    answer: z.object({ factura: z.object({ file: Archivo.required(), nombre: z.string() }) }),
    async run(db, { params: { returnId } }) {
      const file = await archivoOf(db, returnId);
      return { factura: { file, nombre: file.originalname } };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/internalStock',
    resumen: 'Crea una devolución: tantas piezas, cada una con su folio. Responde los folios.',
    alcance,
    acceso: operar,
    recibe: facturaRecibida,
    campos: CAMPOS,
    body: Devolucion.extend({ cantidad: Escrito.optional() }),
    answer: z.array(z.string()),
    async run(db, { body, archivos, usuario, clave }) {
      const devolucion = formOf(DevolucionForm, {
        clave,
        numOrden: escrito(body.orden),
        producto: body.producto ?? undefined,
        estado: body.status ?? undefined,
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
    campos: CAMPOS,
    body: Devolucion.extend({
      _id: z.uuid(),
      eliminarFactura: z.boolean().optional(),
      version: z.int().min(0).optional(),
    }),
    answer: UnaPieza,
    async run(db, { body, archivos, usuario }) {
      const antes = await found(readPieza(db, body._id));
      const editada = formOf(PiezaEditada, {
        id: body._id,
        version: body.version ?? antes.version,
        orden: escrito(body.orden),
        conOrden: body.orden === null ? '1' : undefined,
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
      return unaPieza(db, body._id);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/internalStock/qr',
    resumen: 'Las etiquetas QR de unas piezas, en un PDF.',
    alcance,
    acceso: ver,
    soloLee: true,
    body: z.object({ folios: z.array(z.string().max(40)).min(1).max(MAX_ETIQUETAS) }),
    answer: z.object({
      error: z.literal(false),
      message: z.string(),
      pdf: z.object({ type: z.literal('Buffer'), data: z.array(z.int()) }),
    }),
    async run(db, { body: { folios } }) {
      const halladas = await Promise.all(folios.map((folio) => findEscaneado(db, folio)));
      const piezas = halladas.flatMap((hallada) => (hallada?.clase === 'pieza' ? [hallada.id] : []));
      if (piezas.length < folios.length) throw new NotAllowed('Error.', 'Alguno de los folios no existe.');
      const pdf = drawEtiquetas(await etiquetasOf(db, { piezas }), 'rollo50');
      const data = [...(await buffer(pdf))];
      return { error: false as const, message: '', pdf: { type: 'Buffer' as const, data } };
    },
  }),
];
