import { z } from 'zod';
import { colasOf, encargar, rolesOfCola } from '~/access/hoy.server';
import { mayReadList } from '~/access/lists';
import { requireAccion } from '~/access/lotes';
import { NotAllowed } from '~/core/errors';
import { receiveWhole } from '~/domain/operacion/aplicacion/aplicaciones.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { COLAS } from '~/domain/operacion/hoyCatalog.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { findList } from '~/domain/operacion/exports/lists.server';
import { readPendiente, readTablero } from '~/domain/operacion/mantenimiento/tablero.server';
import { acceptCancelRepetida } from '~/domain/facturacion/cancelacion/cancelRepetida.server';
import { MAX_BATCH } from '~/platform/batches/batch';
import {
  beginBatch,
  beginChosen,
  readBatchWithRemedies,
  startBatch,
  stopBatch,
  type Accion,
} from '~/platform/batches/prepared.server';
import { BuscarOtraVez, Decision, DecisionConFolio, DecisionConUuid, DecisionRepetida } from '~/platform/effects/forms';
import { dismissLateEvidence } from '~/platform/effects/late.server';
import {
  lookAgain,
  requireDecisionVista,
  resolveAsAbsent,
  resolveAsExisting,
  sendAgain,
} from '~/platform/effects/resolve.server';
import {
  giveEncargo,
  postponeEncargo,
  releaseEncargo,
  resumeEncargo,
  takeEncargo,
} from '~/platform/hoy/encargos.server';
import { DarCosa, PosponerCosa, ReanudarCosa, SoltarCosa, TomarCosa } from '~/platform/hoy/forms';
import { instantOfHasta } from '~/platform/hoy/hasta';
import { readCartas, readCola } from '~/platform/hoy/hoy.server';
import { receiveFile } from '~/http/upload.server';
import type { Usuario } from '~/core/usuario';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { defineFormCall } from '../form.server';
import { found } from '../problem.server';
import { Instante, Pesos } from '../wire';
import { ById } from './ordenes.server';

const texto = z.string().nullable();
const resolver = { alcance: 'pendientes', acceso: { pantalla: 'pendientes', derecho: 'pendientes.resolver' } } as const;
const verPendientes = { alcance: 'pendientes', acceso: { pantalla: 'pendientes' } } as const;
const hoy = { alcance: 'hoy', acceso: { pantalla: 'hoy' } } as const;
const lotes = { alcance: 'lotes', acceso: { pantalla: 'lote' } } as const;

/** A call to a far side whose answer was lost, or whose late answer waits for a person. */
const Pendiente = z.object({
  id: z.uuid(),
  type: z.string(),
  connection: z.string(),
  state: z.string(),
  reason: texto,
  detail: texto,
  createdAt: Instante,
  uuid: texto,
  decideDesde: Instante.nullable().meta({
    description: 'Se acaba de enviar: hasta entonces no se toma ni que no existe ni que se envíe otra vez.',
  }),
  asunto: z.object({ texto: z.string(), pantalla: texto }),
  rfc: texto,
  total: texto,
  huella: z.string().meta({ description: 'La marca de lo que se leyó: una decisión la lleva de regreso.' }),
});
const Decidido = z.object({ id: z.uuid() });

/** A decision about a call, once it is sure that the person decides about what there is now. */
const decide = (commit: (trx: Trx, form: never, usuarioId: string) => Promise<unknown>) => ({
  ...resolver,
  de: { effectId: 'id' } as const,
  answer: Decidido,
  async commit(trx: Trx, form: { effectId: string; huella: string }, { usuario }: { usuario: Usuario }) {
    await found(readPendiente(trx as never, EFFECTS, form.effectId));
    await requireDecisionVista(trx, form);
    await commit(trx, form as never, usuario.id);
    return { id: form.effectId };
  },
});
type UnEfecto = { effectId: string };

const Cosa = z.object({ cola: z.string(), cosa: z.string() });
const encargo = (
  act: (trx: Trx, form: never, quien: { usuario: Usuario; now: Date }, roles: string[]) => Promise<unknown>,
) => ({
  ...hoy,
  de: { cola: 'cola', cosa: 'cosa' } as const,
  answer: Cosa,
  async run(db: Db, form: { cola: string; cosa: string }, { usuario, now }: { usuario: Usuario; now: Date }) {
    const { cola, cosa } = form;
    await encargar(db, COLAS, { cola, cosa }, usuario, (trx, _, abierta) =>
      act(trx, form as never, { usuario, now }, rolesOfCola(abierta)),
    );
    return { cola, cosa };
  },
});
type DeCosa = { cola: string; cosa: string };

const Lote = z.object({
  id: z.uuid(),
  lista: z.string(),
  accion: z.string(),
  datos: z.unknown().meta({ description: 'Lo que se dijo para todas; null si la acción nada pide.' }),
  creadoEn: Instante,
  pedidoEn: Instante.nullable(),
  fuera: z.int(),
  suma: Pesos,
  avance: z.object({
    total: z.int(),
    done: z.int(),
    failed: z.int(),
    stopped: z.int(),
    unclear: z.int(),
    waiting: z.int(),
  }),
  filas: z.array(
    z.object({
      filaId: z.uuid(),
      clave: z.string(),
      titulo: z.string(),
      importe: Pesos.nullable(),
      estado: z.string(),
      motivo: texto,
      remedio: texto,
    }),
  ),
});

async function loteOf(db: Db, id: string, usuario: Usuario) {
  const lote = await found(readBatchWithRemedies(db, ACCIONES, id, usuario.id));
  return found(Promise.resolve(mayReadList(usuario, lote.lista) ? lote : undefined));
}

/** Reads what an act asks once for all rows; null for an act that asks nothing. Throws `NotAllowed` at what is missing or wrong. */
async function datosOf(db: Db, { pide }: Accion, datos: unknown): Promise<unknown> {
  if (!pide && datos === undefined) return null;
  if (!pide) throw new NotAllowed('Aviso', 'Esta acción no pide nada.', { campo: 'datos' });
  const leidos = pide.Datos.safeParse(datos ?? {});
  if (!leidos.success) {
    const { path, message } = leidos.error.issues[0]!;
    throw new NotAllowed('Aviso', `«datos» no se entiende en ${path.join('.')}: ${message}`, { campo: 'datos' });
  }
  return pide.complete ? pide.complete(db, leidos.data) : leidos.data;
}

export const operacion: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/pendientes',
    resumen: 'Las llamadas a otros lados que esperan la decisión de una persona, de la más antigua.',
    ...verPendientes,
    answer: z.object({ datos: z.array(Pendiente), total: z.int() }),
    async run(db) {
      const { filas, total } = await readTablero(db, EFFECTS);
      return { datos: filas, total };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/pendientes/{id}',
    resumen: 'Una llamada que espera la decisión de una persona.',
    ...verPendientes,
    params: ById,
    answer: Pendiente,
    run: (db, { params: { id } }) => found(readPendiente(db, EFFECTS, id)),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pendientes/{id}/hecho',
    resumen: 'Sí se hizo del otro lado. Se comprueba allá.',
    form: Decision,
    ...decide((trx, { effectId }: UnEfecto, id) => resolveAsExisting(trx, EFFECTS, effectId, null, id)),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pendientes/{id}/existe',
    resumen: 'La factura existe en el PAC con este UUID. Se comprueba allá.',
    form: DecisionConUuid,
    ...decide((trx, { effectId, uuid }: UnEfecto & { uuid: string }, id) =>
      resolveAsExisting(trx, EFFECTS, effectId, uuid, id),
    ),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pendientes/{id}/folio',
    resumen: 'El pedido existe con este folio. Se comprueba allá.',
    form: DecisionConFolio,
    ...decide((trx, { effectId, folio }: UnEfecto & { folio: string }, id) =>
      resolveAsExisting(trx, EFFECTS, effectId, folio, id),
    ),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pendientes/{id}/ausencia',
    resumen: 'No se hizo del otro lado: se puede intentar otra vez.',
    ...resolver,
    form: Decision,
    de: { effectId: 'id' },
    answer: Decidido,
    async run(db, { effectId, huella }, { usuario }) {
      await found(readPendiente(db, EFFECTS, effectId));
      await resolveAsAbsent(effectRuntime(db), effectId, usuario.id, huella);
      return { id: effectId };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pendientes/{id}/busqueda',
    resumen: 'Se busca otra vez del otro lado.',
    ...resolver,
    form: BuscarOtraVez,
    de: { effectId: 'id' },
    answer: Decidido,
    async commit(trx, { effectId }, { usuario }) {
      await found(readPendiente(trx as never, EFFECTS, effectId));
      await lookAgain(trx, effectId, usuario.id);
      return { id: effectId };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pendientes/{id}/envio',
    resumen: 'Se envía otra vez.',
    form: Decision,
    ...decide((trx, { effectId }: UnEfecto, id) => sendAgain(trx, EFFECTS, effectId, id)),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pendientes/{id}/entendido',
    resumen: 'La respuesta tardía queda vista.',
    form: Decision,
    ...decide((trx, { effectId }: UnEfecto, id) => dismissLateEvidence(trx, effectId, id)),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/pendientes/{id}/repetida',
    resumen: 'De varias facturas de lo mismo, cancela esta.',
    form: DecisionRepetida,
    ...decide((trx, { effectId, repetida }: UnEfecto & { repetida: string }, usuarioId) =>
      acceptCancelRepetida(trx, { effectId, uuid: repetida.toUpperCase(), usuarioId }),
    ),
    acceso: { pantalla: 'pendientes', derecho: 'facturas.cancelar' },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/hoy',
    resumen: 'Lo que espera a quien pregunta, por colas.',
    ...hoy,
    answer: z.array(
      z.object({
        clave: z.string(),
        titulo: z.string(),
        total: z.int(),
        tarde: z.int(),
        aparte: z.int(),
        sinLeer: z.object({ desde: Instante.nullable() }).nullable().meta({
          description:
            'null: se leyó ahora. Si no, las cuentas son de «desde», y sin «desde» no se sabe nada: son 0 y no quieren decir cero.',
        }),
      }),
    ),
    run: (db, { usuario }) => readCartas(db, colasOf(usuario, COLAS), usuario),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/hoy/{cola}',
    resumen: 'Lo que espera en una cola, con el nombre de cada cosa.',
    ...hoy,
    params: z.object({ cola: z.string().min(1).max(60) }),
    answer: z.object({ clave: z.string(), lineas: z.array(z.object({ id: z.string() })) }),
    async run(db, { params: { cola }, usuario }) {
      const abierta = await found(Promise.resolve(colasOf(usuario, COLAS).find((una) => una.cola.clave === cola)));
      return readCola(db, abierta, usuario);
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/hoy/{cola}/{cosa}/toma',
    resumen: 'Quien pregunta se encarga de algo. «de» es quien lo tenía, si alguien.',
    form: TomarCosa,
    ...encargo((trx, { cola, cosa, de }: DeCosa & { de: string | null }, { usuario }) =>
      takeEncargo(trx, { cola, cosa }, de, usuario.id),
    ),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/hoy/{cola}/{cosa}/entrega',
    resumen: 'Encarga algo a otra persona.',
    form: DarCosa,
    ...encargo((trx, { cola, cosa, usuario: a }: DeCosa & { usuario: string }, { usuario }, roles) =>
      giveEncargo(trx, { cola, cosa }, a, roles, usuario.id),
    ),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/hoy/{cola}/{cosa}/suelta',
    resumen: 'Algo deja de ser de alguien.',
    form: SoltarCosa,
    ...encargo((trx, cual: DeCosa, { usuario }) => releaseEncargo(trx, cual, usuario.id)),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/hoy/{cola}/{cosa}/aplazamiento',
    resumen: 'Deja algo para después, con su motivo.',
    form: PosponerCosa,
    ...encargo((trx, { cola, cosa, hasta, motivo }: z.output<typeof PosponerCosa>, { usuario, now }) =>
      postponeEncargo(trx, { cola, cosa }, { hasta: instantOfHasta(hasta, now), motivo }, usuario.id),
    ),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/hoy/{cola}/{cosa}/regreso',
    resumen: 'Regresa a su cola lo que se dejó para después.',
    form: ReanudarCosa,
    ...encargo((trx, cual: DeCosa, { usuario }) => resumeEncargo(trx, cual, usuario.id)),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/lotes',
    resumen: 'Prepara una acción sobre varias filas de una lista. La que nada pregunta empieza de una vez.',
    ...lotes,
    status: 201,
    body: z.object({
      lista: z.string().max(60),
      accion: z.string().max(60),
      filas: z.array(z.uuid()).max(MAX_BATCH).optional(),
      consulta: z
        .string()
        .max(2_000)
        .default('')
        .meta({ description: 'Sin «filas»: todas las que cumplen este filtro.' }),
      datos: z.record(z.string(), z.unknown()).optional().meta({
        description:
          'Lo que es igual para todas, en la acción que lo pide. Para «pregunta.responder»: «texto». Para «publicacion.cambiarPrecio»: «como» (subeParte, bajaParte, sube, baja) y «cuanto». Para «publicadorML.publicar»: «categoriaId», y en «respuestas» el «valor» y la «unidad» de cada característica común.',
      }),
    }),
    answer: Lote,
    async run(db, { body: { lista, accion, filas, consulta, datos }, usuario }) {
      requireAccion(usuario, lista, accion);
      const list = await found(Promise.resolve(findList(lista)));
      const que = Object.hasOwn(ACCIONES, accion) ? ACCIONES[accion] : undefined;
      if (!que) throw new NotAllowed('Aviso', 'El Excel de una lista se pide a la lista, con formato=xlsx.');
      const cuales =
        filas ?? (await list.ids(db, list.parse(new URLSearchParams(consulta), usuario), null, MAX_BATCH + 1));
      const nuevo = { lista, consulta, filas: cuales, usuarioId: usuario.id, datos: await datosOf(db, que, datos) };
      const id = await db.transaction().execute((trx) => beginChosen(trx, que, nuevo));
      return loteOf(db, id, usuario);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/lotes/{id}',
    resumen: 'En qué va un lote, fila por fila.',
    ...lotes,
    params: ById,
    answer: Lote,
    run: (db, { params: { id }, usuario }) => loteOf(db, id, usuario),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/lotes/{id}/inicio',
    resumen: 'Empieza un lote que se preparó.',
    ...lotes,
    status: 202,
    params: ById,
    answer: Lote,
    async run(db, { params: { id }, usuario }) {
      const { lista, accion } = await loteOf(db, id, usuario);
      requireAccion(usuario, lista, accion);
      await db.transaction().execute((trx) => startBatch(trx, ACCIONES[accion]!, id, usuario.id));
      return loteOf(db, id, usuario);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/lotes/{id}/reintento',
    resumen: 'Prepara otra vez lo que de un lote falló.',
    ...lotes,
    status: 201,
    params: ById,
    answer: Lote,
    async run(db, { params: { id }, usuario }) {
      const lote = await loteOf(db, id, usuario);
      requireAccion(usuario, lote.lista, lote.accion);
      const que = ACCIONES[lote.accion]!;
      const otra = lote.filas
        .filter(({ estado }) => estado === 'fallida' || estado === 'detenida' || que.bring)
        .map(({ filaId }) => filaId);
      const nuevo = { ...lote, filas: otra, usuarioId: usuario.id };
      return loteOf(db, await db.transaction().execute((trx) => beginBatch(trx, que, nuevo)), usuario);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/lotes/{id}/detencion',
    resumen: 'Detiene lo que de un lote todavía no se hace. Lo que ya salió, queda.',
    ...lotes,
    params: ById,
    answer: Lote,
    async run(db, { params: { id }, usuario }) {
      const { lista, accion } = await loteOf(db, id, usuario);
      requireAccion(usuario, lista, accion);
      await db.transaction().execute((trx) => stopBatch(trx, EFFECTS, ACCIONES[accion]!, id, usuario.id));
      return loteOf(db, id, usuario);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/aplicacion',
    resumen: 'Sube la aplicación para teléfonos.',
    alcance: 'aplicacion',
    acceso: { pantalla: 'subirApp' },
    status: 201,
    recibe: { campo: 'file', corriente: true },
    answer: z.object({ subida: z.literal(true) }),
    async run(db, { request, usuario }) {
      await receiveWhole(db, usuario.id, (tomar) => receiveFile(request, 'file', tomar));
      return { subida: true as const };
    },
  }),
];
