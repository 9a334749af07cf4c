import { z } from 'zod';
import { OcurreForm, PaqueteriaForm } from '~/domain/ventas/envios/forms';
import { readPropio, readPropioOfEnvio, requirePropio, type OrdenPropia } from '~/domain/ventas/envios/propios.server';
import { saveEstatus, saveOcurre, savePaqueteria } from '~/domain/ventas/envios/savePropio.server';
import { CODIGOS_PROPIOS, nombreAparte } from '~/domain/ventas/envios/envio';
import { ordenesOfNumero } from '~/domain/ventas/ordenes/ordenesConTodo.server';
import type { Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { formOf } from '../form.server';
import { found } from '../problem.server';
import { Escrito, Numero, numero } from './shapes';

const alcance = 'envios';
const acceso = { pantalla: 'cotizarEnvios', derecho: 'ordenes.operar' } as const;

const texto = (max = 120) => z.string().max(max).nullish();
const Escritos = z.object({
  nombreReceptor: texto(),
  apellidos: texto(),
  telefono: texto(40),
  cp: texto(20),
  colonia: texto(),
  ciudad: texto(),
  municipio: texto(),
  estado: texto(80),
  calle: texto(),
  numeroE: texto(20),
  referencia: texto(300),
  ocurre: z.boolean().nullish().meta({ description: 'Sin él, como está; uno nuevo se recoge en sucursal.' }),
  estatus: z
    .string()
    .max(40)
    .nullish()
    .meta({ description: `${CODIGOS_PROPIOS.join(', ')}. El que ya tiene se puede mandar como se leyó.` }),
  costo: Escrito.nullish(),
  paqueteria: z.object({ nombre: texto(40), link: texto(500), guia: texto(60) }).nullish(),
});
type Escritos = z.output<typeof Escritos>;

const Envio = z.object({
  _id: z.uuid(),
  orden: z.uuid(),
  marketId: z.string().nullable(),
  estatus: z.string(),
  costo: Numero.nullable(),
  cobrado: Numero.nullable(),
  nombreReceptor: z.string().nullable(),
  apellidos: z.string().nullable(),
  telefono: z.string().nullable(),
  cp: z.string().nullable(),
  colonia: z.string().nullable(),
  ciudad: z.string().nullable(),
  municipio: z.string().nullable(),
  estado: z.string().nullable(),
  calle: z.string().nullable(),
  numeroE: z.string().nullable(),
  numeroI: z.string().nullable(),
  calleA: z.string().nullable(),
  calleB: z.string().nullable(),
  referencia: z.string().nullable(),
  ocurre: z.boolean(),
  paqueteria: z.object({ nombre: z.string().nullable(), link: z.string().nullable(), guia: z.string().nullable() }),
});

async function envioOf(trx: Trx, orden: string) {
  const { envio } = await requirePropio(trx, orden);
  const { id, costo, cotizado, paqueteria, paqueteriaUrl, guia, ...datos } = await found(Promise.resolve(envio));
  const { nombre, apellidos } = nombreAparte(datos);
  return {
    ...datos,
    nombreReceptor: nombre || null,
    apellidos: apellidos || datos.apellidos,
    _id: id,
    orden,
    costo: numero(costo),
    cobrado: numero(cotizado),
    paqueteria: { nombre: paqueteria, link: paqueteriaUrl, guia },
  };
}

/** Nothing written is a field left out. */
const escritoOf = (valores: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(valores).filter(([, valor]) => valor !== null && valor !== undefined && valor !== ''),
  );

const ConEstatus = z.object({ estatus: z.enum(CODIGOS_PROPIOS) });

/** The state to write, one of ours. The marketplace's own word for the state that the shipment has is nothing to write. */
async function estatusOf(trx: Trx, orden: string, { estatus }: Escritos) {
  if (!estatus) return undefined;
  const { success } = ConEstatus.safeParse({ estatus });
  if (!success && (await requirePropio(trx, orden)).envio?.estatus === estatus) return undefined;
  return formOf(ConEstatus, { estatus }).estatus;
}

/** What of a shipment is said, by the forms of its screen, one after another. */
async function save(trx: Trx, orden: string, escritos: Escritos, usuarioId: string): Promise<void> {
  const { paqueteria, ocurre, ...datos } = escritos;
  const estatus = await estatusOf(trx, orden, escritos);
  const huella = async () => (await requirePropio(trx, orden)).huella;
  if (escritoOf(datos).costo !== undefined || escritoOf(datos).cp !== undefined) {
    const { envio } = await requirePropio(trx, orden);
    const form = formOf(OcurreForm, { ...escritoOf(datos), orden, huella: await huella() });
    await saveOcurre(trx, { ...form, ocurre: ocurre ?? (envio?.cp ? envio.ocurre : true) }, usuarioId);
  }
  const dicha = escritoOf({ ...paqueteria });
  if (Object.keys(dicha).length > 0) {
    const form = { estatus, paqueteria: dicha.nombre, guia: dicha.guia, paqueteriaUrl: dicha.link };
    await savePaqueteria(trx, formOf(PaqueteriaForm, { ...escritoOf(form), orden, huella: await huella() }), usuarioId);
  } else if (estatus !== undefined) await saveEstatus(trx, { orden, huella: await huella(), estatus }, usuarioId);
}

/** The sale of a number that we send ourselves; of a cart, what still lives stands for it. */
async function ventaOf(trx: Trx, clave: string): Promise<string> {
  const ventas = await ordenesOfNumero(trx, clave);
  for (const { id } of ventas) if (await readPropio(trx, id)) return id;
  return (await found(Promise.resolve(ventas[0]))).id;
}

async function deEnvio(trx: Trx, { _id, marketId }: { _id?: string | undefined; marketId?: string | undefined }) {
  return (await found<OrdenPropia | undefined>(readPropioOfEnvio(trx, { id: _id, marketId }))).id;
}

export const enviosPropios: Call[] = [
  defineCall({
    method: 'POST',
    path: '/api/envio/{clave}',
    resumen: 'Los datos del envío de una venta que enviamos nosotros. La clave es el número de la venta.',
    alcance,
    acceso,
    params: z.object({ clave: z.string().min(1).max(120) }),
    body: Escritos,
    answer: Envio,
    async commit(trx, { params: { clave }, body, usuario }) {
      const orden = await ventaOf(trx, clave);
      await save(trx, orden, body, usuario.id);
      return envioOf(trx, orden);
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/envio',
    resumen: 'Cambia un envío nuestro. Sin código postal solo cuenta su costo.',
    alcance,
    acceso,
    body: Escritos.extend({
      _id: z.uuid().optional(),
      marketId: z.string().max(120).optional(),
      cobrado: Escrito.nullish(),
    }),
    answer: Envio,
    async commit(trx, { body: { _id, marketId, cobrado, ...escritos }, usuario }) {
      const orden = await deEnvio(trx, { _id, marketId });
      await save(trx, orden, { ...escritos, costo: escritos.costo ?? cobrado }, usuario.id);
      return envioOf(trx, orden);
    },
  }),
];
