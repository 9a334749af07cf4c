import { z } from 'zod';
import { Secreto } from '~/core/fields';
import { findCredential } from '~/domain/connections/credentials.server';
import { CONNECTIONS } from '~/domain/connections/registry.server';
import { linkKeys } from '~/domain/linkCatalog.server';
import { saveGanancias } from '~/domain/precios/reglas.server';
import { findConfigurable, listConfigurados, savePedidos } from '~/domain/proveedores/configuracion.server';
import type { Db } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { found } from '../problem.server';
import { Hecho, hecho } from './shapes';

const alcance = 'conexiones';
const acceso = { pantalla: 'tokens' } as const;
const llaves = { pantalla: 'tokens', derecho: 'conexiones.llaves' } as const;
const tiendas = { pantalla: 'tiendasConfiguracion' } as const;
const configurar = { pantalla: 'tiendasConfiguracion', derecho: 'proveedores.editar' } as const;

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
const configuradoDe = async (db: Parameters<typeof listConfigurados>[0], proveedor: string) =>
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
      return { stsToken: linked, access_token: linked, access_token_restringido: linked, EBConfig: false };
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
      const { ganancias, pedidos } = await configuradoDe(db, proveedor);
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
      const { value, huellaGanancias: huella } = await configuradoDe(db, proveedor);
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
      const { pedidos } = await configuradoDe(db, proveedor);
      const side = await found(Promise.resolve(findConfigurable(proveedor)));
      const cambio = { ...pedidos, crearPedido: activo === 'true' };
      await db.transaction().execute((trx) => savePedidos(trx, side, cambio, usuario.id));
      return hecho(`Los pedidos de ${side.label} se actualizaron.`);
    },
  }),
];
