import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { Secreto } from '~/core/fields';
import { MONEDAS } from '~/core/moneda';
import { findCredential } from '~/platform/connections/credentials.server';
import { isConfigurado, readEventBridge } from '~/domain/mercados/amz/eventBridge.server';
import { type Activador, startOauth } from '~/platform/connections/oauth.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { ACTIVACION, activada, type Activacion } from '~/domain/mercados/activacion';
import { finishActivacion } from '~/domain/mercados/regreso.server';
import { linkEventBridge } from '~/domain/mercados/amz/linkEventBridge.server';
import { linkKeys } from '~/domain/operacion/linkCatalog.server';
import { saveGanancias } from '~/domain/compras/precios/reglas.server';
import { findConfigurable, listConfigurados, savePedidos } from '~/domain/compras/directorio/configuracion.server';
import { receiveLista } from '~/domain/compras/catalogo/listaPrecios.server';
import type { Db } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { found } from '../problem.server';
import { Hecho, hecho } from './shapes';

const alcance = 'conexiones';
const acceso = { pantalla: 'tokens' } as const;
const llaves = { pantalla: 'tokens', derecho: 'conexiones.llaves' } as const;
const tiendas = { pantalla: 'tiendasConfiguracion' } as const;
const configurar = { pantalla: 'tiendasConfiguracion', derecho: 'proveedores.editar' } as const;

const Url = z.object({ url: z.string() });
const Regreso = z.string().max(4_000).nullish();

/** Who begins or ends an activation: what one began only goes on in the session where it began. */
const quienOf = ({ id }: { id: string }, sesion: string | null): Activador => ({ id, ...(sesion && { sesion }) });

/** How an activation ended that did not link the account, as its screen says it. */
function requireActivada(ended: Activacion): void {
  if (activada(ended)) return;
  throw new NotAllowed(ACTIVACION[ended].titulo, ACTIVACION[ended].texto);
}

const Existe = z.object({ exist: z.boolean() });
const isLinked = async (db: Db, kind: string) => (await findCredential(db, kind))?.status === 'linked';

const existe = (path: string, kind: string, resumen: string) =>
  defineCall({
    method: 'GET',
    path,
    resumen,
    alcance,
    acceso,
    answer: Existe,
    run: async (db) => ({ exist: await isLinked(db, kind) }),
  });

/** Keys of a far side as the old client names them. Its first ones are posted and later ones put; both replace what there was. */
function keysCalls(nombre: string, kind: string, nombres: Record<string, string>): Call[] {
  const body = z.object(Object.fromEntries(Object.keys(nombres).map((name) => [name, Secreto(2_000)])));
  return (['POST', 'PUT'] as const).map((method) =>
    defineCall({
      method,
      path: `/api/token/${nombre}`,
      resumen: `Guarda las llaves de ${nombre}.`,
      alcance,
      acceso: llaves,
      secreta: true,
      body,
      answer: Hecho,
      async run(db, { body: sent, usuario }) {
        const side = CONNECTIONS.of(kind as Parameters<typeof CONNECTIONS.of>[0]);
        const keys = Object.fromEntries(Object.entries(sent).map(([name, value]) => [nombres[name]!, String(value)]));
        await linkKeys(db, side, keys, usuario.id);
        return hecho(`El token de la empresa ${side.label} si existe.`);
      },
    }),
  );
}

const Proveedor = z.object({ proveedor: z.string().min(1).max(20) });
const Fraccion = z
  .union([z.number(), z.string()])
  .transform(String)
  .refine((text) => /^\d(?:\.\d{1,4})?$/.test(text), 'Escribe una fracción: 0.5 es 50 % sobre el costo.');

/** What is configured of a supplier now: the old client decides about what it has just read. */
const configuradoOf = async (db: Parameters<typeof listConfigurados>[0], proveedor: string) =>
  found(Promise.resolve((await listConfigurados(db)).find(({ value }) => value === proveedor)));

export const conexiones: Call[] = [
  existe('/api/existML', 'mercadolibre', 'Si hay una cuenta de Mercado Libre.'),
  existe('/api/existToken/factura.com', 'facturacom', 'Si hay llaves de factura.com.'),
  existe('/api/existToken/syscom', 'syscom', 'Si hay llaves de Syscom.'),
  ...keysCalls('factura.com', 'facturacom', { apiKey: 'apiKey', secret: 'secret' }),
  ...keysCalls('syscom', 'syscom', { idUsuario: 'idUsuario', secret: 'secret' }),
  defineCall({
    method: 'GET',
    path: '/api/VerificarExitenciaTokenAMZ',
    resumen: 'Lo que hay vinculado de Amazon. Amazon ya no usa stsToken: es verdadero mientras valga el permiso.',
    alcance,
    acceso,
    answer: z.object({
      stsToken: z.boolean(),
      access_token: z.boolean(),
      access_token_restringido: z.boolean(),
      EBConfig: z.boolean(),
    }),
    async run(db) {
      const linked = await isLinked(db, 'amazon');
      return {
        stsToken: linked,
        access_token: linked,
        access_token_restringido: linked,
        EBConfig: isConfigurado(await readEventBridge(db)),
      };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/empresas/configProveedor/{proveedor}',
    resumen: 'La ganancia de un proveedor, y si se le hacen pedidos.',
    alcance: 'proveedores',
    acceso: tiendas,
    params: Proveedor,
    answer: z.object({ ganancia: z.object({ amz: z.number(), ml: z.number() }), crearPedido: z.boolean() }),
    async run(db, { params: { proveedor } }) {
      const { ganancias, pedidos } = await configuradoOf(db, proveedor);
      return {
        ganancia: { amz: Number(ganancias.amz), ml: Number(ganancias.ml) },
        crearPedido: pedidos.crearPedido,
      };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/empresas/configuracion/{proveedor}',
    resumen: 'Cambia la ganancia de un proveedor.',
    alcance: 'proveedores',
    acceso: configurar,
    params: Proveedor,
    body: z.object({ amz: Fraccion, ml: Fraccion }),
    answer: Hecho,
    async run(db, { params: { proveedor }, body, usuario }) {
      const { value, huellaGanancias: huella } = await configuradoOf(db, proveedor);
      await db.transaction().execute((trx) => saveGanancias(trx, value, { ...body, huella }, usuario.id));
      return hecho('Ganancia actializada');
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/empresas/pedidoConfig/{proveedor}/{activo}',
    resumen: 'Si a un proveedor se le hacen pedidos.',
    alcance: 'proveedores',
    acceso: configurar,
    params: Proveedor.extend({ activo: z.enum(['true', 'false']) }),
    answer: Hecho,
    async run(db, { params: { proveedor, activo }, usuario }) {
      const { pedidos } = await configuradoOf(db, proveedor);
      const side = await found(Promise.resolve(findConfigurable(proveedor)));
      const cambio = { ...pedidos, crearPedido: activo === 'true' };
      await db.transaction().execute((trx) => savePedidos(trx, side, cambio, usuario.id));
      return hecho(`Los pedidos de ${side.label} se actualizaron.`);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/urlActivacionML',
    resumen: 'A dónde va el dueño de la cuenta de Mercado Libre para decir que sí.',
    alcance,
    acceso: llaves,
    answer: Url,
    run: async (db, { usuario, sesion }) => ({ url: await startOauth(db, 'mercadolibre', quienOf(usuario, sesion)) }),
  }),
  defineCall({
    method: 'GET',
    path: '/api/linkVinculacionAMZ',
    resumen: 'A dónde va el dueño de la cuenta de Amazon para decir que sí.',
    alcance,
    acceso: llaves,
    answer: Url,
    run: async (db, { usuario, sesion }) => ({ url: await startOauth(db, 'amazon', quienOf(usuario, sesion)) }),
  }),
  defineCall({
    method: 'POST',
    path: '/api/linkConfirmacionAMZ',
    resumen: 'Lo que Amazon mandó de regreso: a dónde sigue, o a dónde ir cuando ya quedó.',
    alcance,
    acceso: llaves,
    secreta: true,
    body: z.object({
      amazon_callback_uri: Regreso,
      selling_partner_id: Regreso,
      amazon_state: Regreso,
      state: Regreso,
      spapi_oauth_code: Regreso,
    }),
    answer: Url,
    async run(db, { body, usuario, sesion }) {
      const said = Object.fromEntries(Object.entries(body).flatMap(([name, value]) => (value ? [[name, value]] : [])));
      const ended = await finishActivacion(db, quienOf(usuario, sesion), said);
      if (typeof ended !== 'string') return { url: ended.to };
      requireActivada(ended);
      return { url: `${env().APP_URL}/${usuario.rol}/tokens?activacion=${ended}` };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/informacionAutorizacionAMZ',
    resumen: 'Vincula Amazon con un token que su dueño obtuvo en la consola de desarrollador.',
    alcance,
    acceso: llaves,
    secreta: true,
    body: z.object({
      refresh_token: Secreto(4_000),
      selling_partner_id: z
        .string()
        .regex(/^\w{1,40}$/)
        .optional()
        .meta({ description: 'Sin él, el de la cuenta que ya estaba vinculada.' }),
      access_token: z.string().max(4_000).nullish(),
      token_type: z.string().max(40).nullish(),
      expires_in: z.union([z.number(), z.string().max(20)]).nullish(),
    }),
    answer: Hecho,
    async run(db, { body: { refresh_token, selling_partner_id }, usuario }) {
      const side = CONNECTIONS.of('amazon');
      const sellerId = selling_partner_id ?? (await findCredential(db, side.kind))?.account;
      if (!sellerId)
        throw new NotAllowed('Error de activación.', 'Falta selling_partner_id: el id de vendedor de la cuenta.', {
          campo: 'selling_partner_id',
        });
      await linkKeys(db, side, { sellerId, refreshToken: refresh_token }, usuario.id);
      return hecho(ACTIVACION.amazonLista.texto);
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/activacionML',
    resumen: 'Lo que Mercado Libre mandó de regreso: vincula la cuenta.',
    alcance,
    acceso: llaves,
    secreta: true,
    body: z.object({
      code: z.string().min(1).max(500),
      state: z
        .string()
        .max(500)
        .optional()
        .meta({ description: 'El que venía en la dirección de regreso; sin él no se vincula nada.' }),
    }),
    answer: z.object({ user_id: z.string() }),
    async run(db, { body: { code, state }, usuario, sesion }) {
      const ended = await finishActivacion(db, quienOf(usuario, sesion), { code, state });
      if (typeof ended === 'string') requireActivada(ended);
      return { user_id: (await found(findCredential(db, 'mercadolibre'))).account };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/apiSh/activacion',
    resumen: 'El regreso de un canal que ya no existe: queda anotado y se rechaza.',
    alcance,
    acceso: llaves,
    body: z.object({ code: z.string().max(500).optional(), shopID: z.coerce.string().max(200) }),
    answer: Hecho,
    async run(db, { body: { shopID }, usuario, sesion }) {
      const ended = await finishActivacion(db, quienOf(usuario, sesion), { shop_id: shopID });
      if (typeof ended === 'string') requireActivada(ended);
      return hecho('');
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/syscom/file',
    resumen: 'Recibe la lista de precios de Syscom. Una persona la aplica en Configuración de tiendas.',
    alcance: 'proveedores',
    acceso: configurar,
    recibe: { campo: 'file' },
    body: z.object({ moneda: z.enum(MONEDAS).optional() }),
    answer: z.object({ error: z.literal(false), mensaje: z.string(), lista: z.uuid() }),
    async run(db, { body: { moneda }, archivos: [archivo], usuario }) {
      if (!archivo) throw new NotAllowed('Error de carga.', 'No se detecto archivo', { campo: 'file' });
      const side = await found(Promise.resolve(findConfigurable('syscom')));
      const lista = await receiveLista(db, side, { archivo, moneda }, usuario.id);
      return { error: false as const, mensaje: 'Archivo enviado de forma correcta.', lista };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/vincularEB',
    resumen: 'Pide a Amazon los avisos de publicaciones por EventBridge. Es opcional: no trae ventas.',
    alcance,
    acceso: llaves,
    answer: Hecho,
    async run(db, { usuario }) {
      await db.transaction().execute((trx) => linkEventBridge(trx, usuario.id));
      return hecho('Se pidió a Amazon.');
    },
  }),
];
