import { sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed, Stale } from '~/core/errors';
import { Id } from '~/core/fields';
import { readArchivo, storeOnce } from '~/platform/files/archivos.server';
import { type Recibido, receiveOne } from '~/platform/files/receiveFile.server';
import type { Db, Trx } from '~db/client.server';
import { comesBack, listArticulos, propose } from './devoluciones.server';
import {
  DESHACER_MS,
  ESTADO_LABEL,
  ESTADO_TONO,
  type EstadoDeStock,
  MAX_FOTO_KB,
  MAX_FOTOS,
  nombreOfPieza,
} from './pieza';
import { bindEtiqueta } from './etiquetas.server';
import { findEscaneado, listEstados, listIniciales, readPieza } from './readPiezas.server';
import { rows } from './listStock.server';
import { changeEstado, createDevolucion, undoMovimiento, lockPieza, type Recibida, sellPieza } from './piezas.server';
import type { Lectura } from './conteo';
import { countPieza, startConteo } from './contar.server';
import { packPieza, reportFalta } from './empaque.server';
import {
  DeshacerPieza,
  type DevolucionForm,
  EmpacarForm,
  EmpezarConteo,
  FaltarForm,
  LeerEnConteo,
  LigarEtiqueta,
  MoverPieza,
  RecibirForm,
  VenderPieza,
} from './forms';

const ERROR_AGREGAR = 'Error al agregar.';

const AgregarFoto = z.object({
  id: Id,
  foto: z
    .instanceof(File, { error: 'No se detecto archivo' })
    .refine(({ size }) => size <= MAX_FOTO_KB * 1_024, 'La fotografía es demasiado grande.'),
});

/** Forms of the acts that a phone sends. Each act is done once for its key, however often it is sent. */
export const DESDE_BODEGA = {
  estado: MoverPieza,
  deshacer: DeshacerPieza,
  surtir: VenderPieza,
  foto: AgregarFoto,
  ligar: LigarEtiqueta,
  recibir: RecibirForm,
  empacar: EmpacarForm,
  faltar: FaltarForm,
  empezarConteo: EmpezarConteo,
  contar: LeerEnConteo,
} as const;
export type QueDeBodega = keyof typeof DESDE_BODEGA;
type Datos = { [Que in QueDeBodega]: z.output<(typeof DESDE_BODEGA)[Que]> };
type Uno<D> = { [Que in keyof D]: { que: Que; datos: D[Que] } }[keyof D];
export type Envio = Uno<Datos>;
/** An act whose files were checked. */
type Visto = Uno<
  Omit<Datos, 'foto' | 'recibir'> & { foto: { id: string; foto: Recibido }; recibir: Recibida<DevolucionForm> }
>;

/** Returns a piece as a phone shows it; undefined when there is none. Amounts of money are left out, since others stand around it. */
export async function viewPieza(db: Db | Trx, id: string) {
  const [pieza, estados] = await Promise.all([readPieza(db, id), listEstados(db)]);
  if (!pieza) return undefined;
  const [ultimo] = pieza.movimientos;
  return {
    id,
    folio: pieza.folio,
    nombre: nombreOfPieza(pieza),
    modelo: pieza.modelo,
    proveedor: pieza.productoProveedor ?? pieza.proveedorLabel,
    observaciones: pieza.observaciones,
    orden: pieza.numOrden,
    venta: pieza.ventaNumOrden,
    estado: pieza.estado,
    estadoLabel: ESTADO_LABEL[pieza.estado],
    tono: ESTADO_TONO[pieza.estado],
    version: pieza.version,
    /** In the order that people see. */
    estados,
    /** State that undoing leads back to, and until when it is possible. */
    regresaA: pieza.regresaA,
    regresaHasta: ultimo ? new Date(ultimo.en.getTime() + DESHACER_MS) : null,
    quien: ultimo?.quien ?? null,
    cuando: ultimo?.en ?? pieza.creadaEn,
    fotos: pieza.fotos,
    etiquetas: pieza.etiquetas,
  };
}
export type PiezaVista = NonNullable<Awaited<ReturnType<typeof viewPieza>>>;

/** Returns what was scanned or typed, as a phone shows it; undefined when it names nothing. */
export async function viewEscaneado(db: Db, texto: string) {
  const found = await findEscaneado(db, texto);
  if (found?.clase === 'etiqueta') return { ...found, recientes: await listRecientes(db) };
  const pieza = found && (await viewPieza(db, found.id));
  return pieza && { clase: 'pieza' as const, pieza };
}

/** Recent pieces that are offered for a label: about as many as lie on a bench. */
const RECIENTES = 8;

/** The newest pieces without a label, for which a label in the hand is most likely meant. */
function listRecientes(db: Db) {
  return rows(db)
    .where('stockInterno.creadaEn', '>', sql<Date>`now() - interval '1 day'`)
    .where(sql<boolean>`not exists (select from stock_etiqueta e where e.pieza_id = stock_interno.id)`)
    .orderBy('stockInterno.creadaEn', 'desc')
    .orderBy('stockInterno.id', 'desc')
    .limit(RECIENTES)
    .execute()
    .then((piezas) => piezas.map((pieza) => ({ folio: pieza.folio, nombre: nombreOfPieza(pieza) })));
}

/** Returns the articles of a sale, to receive a return, and the pieces of ours that could be picked for it. Undefined when there is no such sale. */
export async function viewVenta(db: Db, numero: string) {
  const articulos = await listArticulos(db, numero);
  if (articulos.length === 0) return undefined;
  const productos = articulos.flatMap(({ productoId }) => productoId ?? []);
  const ordenes = [...new Set(articulos.map(({ ordenId }) => ordenId))];
  const [vuelveAlguna, propuestas, salieron, piezas, iniciales] = await Promise.all([
    comesBack(db, ordenes),
    Promise.all(articulos.map((articulo) => propose(db, articulo))),
    rows(db)
      .where('stockInterno.ventaId', 'in', ordenes)
      .where('stockInterno.estado', '=', 'vendido')
      .orderBy('stockInterno.id')
      .limit(50)
      .execute(),
    productos.length === 0
      ? []
      : rows(db)
          .where('stockInterno.productoId', 'in', productos)
          .where('stockInterno.estado', 'in', ['disponible', 'reservado'] satisfies EstadoDeStock[])
          .orderBy('stockInterno.id')
          .limit(50)
          .execute(),
    listIniciales(db),
  ]);
  return {
    numero,
    vuelve: vuelveAlguna,
    articulos: articulos.map(({ ordenId, posicion, nombre, cantidad, proveedor, productoId }, at) => ({
      orden: ordenId,
      posicion,
      nombre,
      cantidad,
      proveedor,
      producto: productoId,
      /** Prefilled values of the form: the pieces still to come, and the claim they come back for. */
      faltan: propuestas[at]!.cantidad,
      recibidas: propuestas[at]!.recibidas,
      deLaOrden: propuestas[at]!.deLaOrden,
      observaciones: propuestas[at]!.observaciones,
      /** Whether the cost is known here. The amount itself is not sent to the phone. */
      conCosto: propuestas[at]!.costo !== null,
    })),
    piezas: piezas.map(enBreve),
    /** Our own pieces that left for the sale and come back as themselves. */
    salieron: salieron.map(enBreve),
    estados: iniciales.map((value) => ({ value, label: ESTADO_LABEL[value] })),
  };
}

const enBreve = (pieza: Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]) => ({
  folio: pieza.folio,
  nombre: nombreOfPieza(pieza),
  estadoLabel: ESTADO_LABEL[pieza.estado],
});
export type VentaVista = NonNullable<Awaited<ReturnType<typeof viewVenta>>>;

/**
 * Answer to an act. An empty `aviso`: the screen shows the act already. `paquete`: the parcel that the act ended, with its label where it is here. `conteo`: the count
 * that the act opened. `lectura`: what a scan of a count found.
 */
export type Hecho = {
  aviso: string;
  folios?: string[];
  version?: number;
  estado?: EstadoDeStock;
  paquete?: { numero: string; guia: string | null; zpl?: boolean };
  conteo?: string;
  lectura?: Lectura;
};

/**
 * Does one act of a phone and returns its answer. The same key again returns the first answer and does nothing. Throws `NotAllowed` or `Stale` like
 * the act itself, and `NotAllowed` when another person used the key.
 */
export async function actFromBodega(
  db: Db,
  { clave, ...envio }: Envio & { clave: string },
  usuarioId: string,
): Promise<Hecho> {
  const antes = await findAnswer(db, clave, usuarioId);
  if (antes) return antes;
  const visto = await look(db, envio);
  return db.transaction().execute(async (trx) => {
    const nuevo = await trx
      .insertInto('bodegaEnvio')
      .values({ clave, usuarioId, respuesta: '{}' })
      .onConflict((on) => on.column('clave').doNothing())
      .returning('clave')
      .executeTakeFirst();
    if (!nuevo) return (await findAnswer(trx, clave, usuarioId))!;
    const hecho = await perform(trx, clave, visto, usuarioId);
    await trx
      .updateTable('bodegaEnvio')
      .set({ respuesta: JSON.stringify(hecho) })
      .where('clave', '=', clave)
      .execute();
    return hecho;
  });
}

/** The answer that this key got before; undefined when it never arrived. */
async function findAnswer(db: Db | Trx, clave: string, usuarioId: string): Promise<Hecho | undefined> {
  const antes = await db
    .selectFrom('bodegaEnvio')
    .select(['usuarioId', 'respuesta'])
    .where('clave', '=', clave)
    .executeTakeFirst();
  if (antes && antes.usuarioId !== usuarioId)
    throw new NotAllowed('Error de autenticación.', 'Esto lo hizo otra persona.');
  return antes?.respuesta as Hecho | undefined;
}

/** Checks files before any row is locked, since that may take long. */
async function look(db: Db, envio: Envio): Promise<Visto> {
  if (envio.que === 'recibir') return { que: 'recibir', datos: await withCosto(db, envio.datos) };
  if (envio.que !== 'foto') return envio;
  const { id, foto } = envio.datos;
  const campo = { campo: 'foto', otro: 'El archivo no es una fotografía.' };
  return { que: 'foto', datos: { id, foto: await receiveOne(foto, 'image/jpeg', campo) } };
}

/** Fills in the cost of a piece that nobody typed: the price it was bought at, else today's. */
async function withCosto(db: Db, form: RecibirForm): Promise<Recibida<DevolucionForm>> {
  const { orden = null, producto = null, cantidad } = form;
  const costo = form.costo ?? (await propose(db, { ordenId: orden, cantidad, productoId: producto })).costo;
  if (costo === null)
    throw new NotAllowed(ERROR_AGREGAR, 'No se sabe cuánto costó: escribe el costo por pieza con IVA.');
  return { ...form, costo, folioFactura: null, factura: null };
}

async function perform(trx: Trx, clave: string, { que, datos }: Visto, usuarioId: string): Promise<Hecho> {
  switch (que) {
    case 'estado':
      await changeEstado(trx, datos, usuarioId);
      return { aviso: 'Registro actualizado de forma correcta', ...(await standingOf(trx, datos.id)) };
    case 'deshacer':
      await undoMovimiento(trx, datos, usuarioId);
      return { aviso: 'Se deshizo el cambio de estatus.', ...(await standingOf(trx, datos.id)) };
    case 'surtir':
      await sellPieza(trx, datos, usuarioId);
      return { aviso: 'Registro actualizado de forma correcta', ...(await standingOf(trx, datos.id)) };
    case 'foto':
      await addFoto(trx, datos, usuarioId);
      return { aviso: 'Se guardó la fotografía.' };
    case 'ligar':
      await bindEtiqueta(trx, datos, usuarioId);
      return { aviso: 'Registro actualizado de forma correcta' };
    case 'empacar': {
      const paquete = await packPieza(trx, datos, usuarioId);
      return paquete ? { aviso: `Paquete ${paquete.numero} completo.`, paquete } : { aviso: '' };
    }
    case 'faltar':
      await reportFalta(trx, datos, usuarioId);
      return { aviso: 'Se le dijo a quien compra.' };
    case 'empezarConteo':
      return { aviso: '', conteo: await startConteo(trx, datos, usuarioId) };
    case 'contar':
      return { aviso: '', lectura: await countPieza(trx, datos, usuarioId) };
    case 'recibir':
      return {
        aviso: 'Se crearon los siguientes folios',
        folios: await createDevolucion(trx, { ...datos, clave }, usuarioId),
      };
  }
}

const standingOf = (trx: Trx, id: string) =>
  trx.selectFrom('stockInterno').select(['version', 'estado']).where('id', '=', id).executeTakeFirstOrThrow();

/** Adds a photograph to a piece. The piece is locked, so that two people cannot both add the last one. */
async function addFoto(trx: Trx, { id, foto }: { id: string; foto: Recibido }, usuarioId: string): Promise<void> {
  const pieza = await lockPieza(trx, id);
  if (!pieza) throw new NotAllowed(ERROR_AGREGAR, 'La pieza no existe.');
  const { cuantas } = await trx
    .selectFrom('stockFoto')
    .select(sql<number>`count(*)::int`.as('cuantas'))
    .where('piezaId', '=', id)
    .executeTakeFirstOrThrow();
  if (cuantas >= MAX_FOTOS)
    throw new NotAllowed(ERROR_AGREGAR, `${pieza.folio} ya tiene ${MAX_FOTOS} fotografías, y no caben más.`);
  const posicion = cuantas + 1;
  const archivoId = await storeOnce(trx, { ...foto, nombre: `${pieza.folio}-${posicion}.jpg` });
  await trx.insertInto('stockFoto').values({ piezaId: id, posicion, archivoId, usuarioId }).execute();
}

/** Returns a photograph of a piece; undefined when there is none by that id. */
export async function readFoto(db: Db, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const foto = await db.selectFrom('stockFoto').select('archivoId').where('id', '=', id).executeTakeFirst();
  return foto && readArchivo(db, foto.archivoId);
}

/** Returns a refusal as a phone shows it, with the piece as it stands now. Undefined for errors that are no refusal. */
export async function noOfBodega(db: Db, error: unknown, piezaId: string | undefined) {
  if (!(error instanceof NotAllowed)) return undefined;
  return {
    choque: error instanceof Stale,
    /** New marks: the same act sent with them is about the current state. */
    marcas: error instanceof Stale ? error.choque.marcas : {},
    titulo: error.titulo,
    texto: error.message,
    pieza: (piezaId && (await viewPieza(db, piezaId))) || null,
  };
}
