import { z } from 'zod';
import { listProveedores } from '~/domain/compras/directorio/proveedores.server';
import { datosDeEnvios } from '~/domain/ventas/envios/detalleEnvio.server';
import { nombreAparte, rastreoUrl } from '~/domain/ventas/envios/envio';
import { enviosList, enviosPendientesList, type EnvioRow } from '~/domain/ventas/envios/listEnvios.server';
import type { Db } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { Proveedor } from './empresas.server';
import { diasOf, Instante, Numero, numero, Rango, shapeOf } from './shapes';

const texto = z.string().nullable();

type EnvioConDatos = EnvioRow & Omit<DatosDeEnvio, 'id'>;
type DatosDeEnvio = NonNullable<ReturnType<Awaited<ReturnType<typeof datosDeEnvios>>['get']>>;
const envio = shapeOf<EnvioConDatos>()({
  _id: [z.uuid(), 'id'],
  marketId: [z.string().nullable(), 'marketId'],
  dateCreated: [Instante, 'fechaCreacion'],
  estatus: [z.string(), 'estatus'],
  costo: [Numero.nullable(), ({ costo }) => numero(costo)],
  estado: [z.string().nullable(), 'estado'],
  // The old client shows the municipality, and the city where there is none.
  municipio: [texto, ({ municipio, localidad }) => municipio ?? localidad],
  ciudad: [texto, 'ciudad'],
  cobrado: [Numero.nullable(), ({ cobrado }) => numero(cobrado)],
  nombreReceptor: [texto, (fila) => nombreAparte(fila).nombre || null],
  apellidos: [texto, 'apellidos'],
  telefono: [texto, 'telefono'],
  calle: [texto, 'calle'],
  numeroE: [texto, 'numeroE'],
  numeroI: [texto, 'numeroI'],
  calleA: [texto, 'calleA'],
  calleB: [texto, 'calleB'],
  referencia: [texto, 'referencia'],
  colonia: [texto, 'colonia'],
  cp: [texto, 'cp'],
  ordenes: [z.array(z.object({ _id: z.uuid(), marketId: z.string(), numOrden: z.string() })), 'ordenes'],
  paqueteria: [
    z.object({ nombre: texto, link: texto, url: texto, guia: texto }),
    (fila) => ({ nombre: fila.paqueteria, link: rastreoUrl(fila), url: fila.paqueteriaUrl, guia: fila.guia }),
  ],
  datos: [
    z.object({
      last_updated: Instante.nullable(),
      tracking_number: texto,
      shipping_items: z.array(z.object({ quantity: z.number(), description: z.string() })),
    }),
    ({ actualizadoEn, guia, articulos }) => ({
      last_updated: actualizadoEn,
      tracking_number: guia,
      shipping_items: articulos,
    }),
  ],
});

async function enviosOf(db: Db, filas: EnvioRow[]) {
  const datos = await datosDeEnvios(
    db,
    filas.map(({ id }) => id),
  );
  return filas.flatMap((fila) => {
    const suyos = datos.get(fila.id);
    return suyos ? [envio.of({ ...suyos, ...fila })] : [];
  });
}

export const enviosAnteriores: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/envios/{from}/{to}',
    resumen: 'Los envíos de un rango.',
    alcance: 'envios',
    acceso: { pantalla: 'envios' },
    params: Rango,
    answer: z.array(envio.wire),
    run: async (db, { params, usuario }) => enviosOf(db, await gather(db, enviosList, diasOf(params), usuario)),
  }),
  defineCall({
    method: 'GET',
    path: '/api/envios/pendientes/{from}/{to}',
    resumen: 'Los envíos de un rango que no han llegado.',
    alcance: 'envios',
    acceso: { pantalla: 'enviosPendientes' },
    params: Rango,
    answer: z.object({ envios: z.array(envio.wire), proveedores: z.array(Proveedor) }),
    run: async (db, { params, usuario }) => ({
      envios: await enviosOf(db, await gather(db, enviosPendientesList, diasOf(params), usuario)),
      proveedores: await listProveedores(db),
    }),
  }),
];
