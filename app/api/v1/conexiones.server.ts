import { z } from 'zod';
import { AjustesForm } from '~/domain/facturacion/cfdi/forms';
import {
  huellaOfAjustes,
  readAjustesFacturacion,
  saveAjustesFacturacion,
} from '~/domain/facturacion/cfdi/ajustes.server';
import { listFuentes } from '~/domain/mercados/registro.server';
import { BUS, linkKeys } from '~/domain/operacion/linkCatalog.server';
import { dismissUnread, listUnread, retryUnread } from '~/domain/sync/inboxUnread.server';
import { enqueueSyncsOf } from '~/domain/sync/syncVentas.server';
import { RemitenteForm } from '~/domain/ventas/envios/forms';
import { readRemitente, saveRemitente } from '~/domain/ventas/envios/remitente.server';
import { llavesOf } from '~/platform/connections/forms';
import { listConnections, testConnection } from '~/platform/connections/list.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall, formOf } from '../form.server';
import { found, notFound } from '../problem.server';
import { HuellaLeida, Instante } from '../wire';

const deConexiones = { alcance: 'conexiones', acceso: { pantalla: 'tokens' } } as const;
const llaves = { alcance: 'conexiones', acceso: { pantalla: 'tokens', derecho: 'conexiones.llaves' } } as const;
const texto = z.string().nullable();

const SI_O_NO = Object.keys(AjustesForm.shape).filter((name) => !['huella', 'enlaceDias'].includes(name));
const Ajustes = z.object({
  ...Object.fromEntries(SI_O_NO.map((name) => [name, z.boolean()])),
  enlaceDias: z.int(),
  huella: HuellaLeida,
});
async function ajustesOf(db: Db) {
  const ajustes = await readAjustesFacturacion(db);
  const dichos = Object.entries(ajustes).map(([name, valor]) => [
    name,
    valor instanceof Date ? true : (valor ?? false),
  ]);
  return { ...Object.fromEntries(dichos), huella: huellaOfAjustes(ajustes) } as z.output<typeof Ajustes>;
}

const Remitente = z.object({
  nombre: z.string(),
  calle: z.string(),
  colonia: texto,
  ciudad: z.string(),
  estado: z.string(),
  cp: z.string(),
  telefono: z.string(),
  email: z.string(),
  version: z.int(),
});
const vendedorDeGuias = () => listFuentes().find(({ guias }) => guias)?.source ?? '';
const remitenteOf = async (db: Db | Trx) => {
  const { colonia = null, ...resto } = await found(readRemitente(db, vendedorDeGuias()));
  return { ...resto, colonia };
};

const Conexion = z.object({
  kind: z.string(),
  account: z.string(),
  label: z.string(),
  hace: z.array(z.string()),
  vinculada: z.boolean(),
  pausedAt: Instante.nullable(),
  accountProblem: texto,
});
const conexionOf = (kind: string) =>
  found(Promise.resolve(CONNECTIONS.isKind(kind) ? { ...CONNECTIONS.of(kind), kind } : undefined));
const UnaConexion = z.object({ conexion: z.string().min(1).max(40) });
const requireBus = (conexion: string) => {
  if (conexion !== BUS.conexion) throw notFound();
};
const Encolada = z.object({ encolada: z.literal(true) });

/** Accounts and keys, what came and was not read, and how letters and labels are sent. */
export const ajustes: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/v1/conexiones',
    resumen: 'Las conexiones: qué hace cada una y en qué está. Ninguna dice sus llaves.',
    ...deConexiones,
    answer: z.array(Conexion),
    run: async (db) =>
      (await listConnections(db)).map(({ linked, ...una }) => ({ ...una, vinculada: linked !== null })),
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/conexiones/{conexion}/llaves',
    resumen: 'Guarda las llaves de una conexión, por los nombres de sus campos, si su dueño las acepta.',
    ...llaves,
    secreta: true,
    sinPrisa: true,
    params: UnaConexion,
    body: z.record(z.string().max(40), z.string().max(2_000)),
    answer: z.object({ conexion: z.string() }),
    async run(db, { params: { conexion }, body, usuario }) {
      const side = await conexionOf(conexion);
      const fields = side.link.type === 'settings' ? [] : (side.link.fields ?? []);
      if (fields.length === 0) throw notFound();
      await linkKeys(db, side, formOf(llavesOf(fields), { olvidar: [], ...body }), usuario.id);
      return { conexion };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/conexiones/{conexion}/prueba',
    resumen: 'Si una conexión responde ahora; si no, por qué.',
    ...deConexiones,
    params: UnaConexion,
    answer: z.object({ problema: texto }),
    run: async (db, { params: { conexion }, usuario }) => ({
      problema: await testConnection(db, (await conexionOf(conexion)).kind, usuario.id),
    }),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/conexiones/{conexion}/sincronizacion',
    resumen: 'Trae de una conexión, antes de su turno.',
    ...deConexiones,
    status: 202,
    params: UnaConexion,
    answer: Encolada,
    async run(db, { params: { conexion } }) {
      await enqueueSyncsOf(db, (await conexionOf(conexion)).kind);
      return { encolada: true as const };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/conexiones/sincronizacion',
    resumen: 'Trae de todas las fuentes, antes de su turno.',
    alcance: 'conexiones',
    acceso: { derecho: 'conexiones.sincronizar' },
    status: 202,
    answer: Encolada,
    async run(db) {
      await enqueueSyncsOf(db);
      return { encolada: true as const };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/conexiones/{conexion}/bus',
    resumen: 'Pide a un mercado los avisos de publicaciones por un bus nuestro (EventBridge).',
    ...llaves,
    status: 202,
    params: UnaConexion,
    answer: UnaConexion,
    async commit(trx, { params: { conexion }, usuario }) {
      requireBus(conexion);
      await BUS.request(trx, usuario.id);
      return { conexion };
    },
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/conexiones/{conexion}/bus',
    resumen: 'El bus de un mercado quedó asociado en nuestra cuenta.',
    ...llaves,
    form: BUS.form,
    answer: UnaConexion,
    async commit(trx, form, { params: { conexion = '' }, usuario }) {
      requireBus(conexion);
      await BUS.associate(trx, form, usuario.id);
      return { conexion };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/conexiones/avisos',
    resumen: 'Los avisos de fuera que no se pudieron leer.',
    ...deConexiones,
    answer: z.array(
      z.object({
        id: z.int(),
        topic: z.string(),
        resource: z.string(),
        receivedAt: Instante,
        error: texto,
        attempts: z.int(),
        nextAt: Instante.nullable(),
      }),
    ),
    run: (db) => listUnread(db, 200),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/conexiones/avisos/lectura',
    resumen: 'Lee otra vez los avisos que no se pudieron leer.',
    ...deConexiones,
    status: 202,
    answer: z.object({ avisos: z.int() }),
    run: async (db, { usuario }) => ({ avisos: await retryUnread(db, usuario.id) }),
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/conexiones/avisos/{aviso}',
    resumen: 'Un aviso que no se pudo leer ya no se cuenta.',
    ...deConexiones,
    params: z.object({ aviso: z.coerce.number().int().min(0).max(2_147_483_646) }),
    answer: z.object({ aviso: z.int() }),
    async run(db, { params: { aviso }, usuario }) {
      await dismissUnread(db, aviso, usuario.id);
      return { aviso };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/ajustes/facturacion',
    resumen: 'Cómo reciben los clientes sus enlaces y su CFDI.',
    ...deConexiones,
    answer: Ajustes,
    run: (db) => ajustesOf(db),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/ajustes/facturacion',
    resumen: 'Cambia cómo reciben los clientes sus enlaces y su CFDI.',
    ...deConexiones,
    form: AjustesForm,
    answer: Ajustes,
    async run(db, form, { usuario }) {
      await saveAjustesFacturacion(db, form, usuario.id);
      return ajustesOf(db);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/ajustes/remitente',
    resumen: 'El remitente de las guías.',
    ...deConexiones,
    answer: Remitente,
    etag: etagOfVersion,
    run: (db) => remitenteOf(db),
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/ajustes/remitente',
    resumen: 'Cambia el remitente de las guías. El primero lleva If-Match "v0".',
    ...deConexiones,
    conVersion: true,
    form: RemitenteForm,
    answer: Remitente,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await saveRemitente(trx, vendedorDeGuias(), form, usuario.id);
      return remitenteOf(trx);
    },
  }),
];
