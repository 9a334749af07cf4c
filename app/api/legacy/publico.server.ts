import { z } from 'zod';
import { LimitReached, NotAllowed } from '~/core/errors';
import { avisoPostal, isCp } from '~/core/codigoPostal';
import { Cp } from '~/core/fields';
import { findCp } from '~/platform/direccion/codigosPostales.server';
import { takeRate } from '~/platform/rateLimit.server';
import { FALTAN } from '~/domain/ventas/envios/datosCliente';
import { readDatosCliente, saveDatosCliente } from '~/domain/ventas/envios/datosCliente.server';
import { datosClienteForm } from '~/domain/ventas/envios/forms';
import { findEnlace, noteUse } from '~/domain/facturacion/enlaces/enlaces.server';
import type { Db } from '~db/client.server';
import { defineCall, defineOpenCall, type Call } from '../call.server';
import { ApiProblem } from '../problem.server';
import { Hecho, hecho } from './shapes';

const Token = z.object({ token: z.string().min(1).max(200) });
/** Looks at postal codes that one link may cause, as on its page. */
const LIMITE_CP = { hits: 40, seconds: 3_600 };

async function requireEnlace(db: Db, token: string) {
  const enlace = await findEnlace(db, token, 'datosEnvio');
  if (enlace) return enlace;
  throw new ApiProblem(
    'sin-autenticar',
    'Este enlace no es válido o ya venció. Pide uno nuevo por los mensajes de tu compra.',
  );
}

const texto = z.string().max(300).default('');
const Datos = z.object({
  nombreReceptor: texto,
  apellidos: texto,
  telefono: texto,
  cp: texto,
  colonia: texto,
  ciudad: texto,
  estado: texto,
  calle: texto,
  numeroE: texto,
  numeroI: texto,
  calleA: texto,
  calleB: texto,
  referencia: texto,
  ocurre: z.boolean().default(false),
});

const CodigoPostal = z.object({
  error: z.literal(false),
  response: z.object({
    cp: z.string(),
    ciudad: z.string(),
    municipio: z.string(),
    estado: z.string(),
    asentamiento: z.array(z.string()),
  }),
});
const UnCp = z.object({ cp: Cp });

async function codigoPostal(db: Db, cp: string) {
  const hallazgo = await findCp(db, cp);
  if (hallazgo.tipo !== 'encontrado')
    throw new NotAllowed('Error al consultar.', avisoPostal(hallazgo) ?? 'No se encontró el código postal.', {
      campo: 'cp',
    });
  const { ciudad, municipio, estado, colonias } = hallazgo.lugar;
  return { error: false as const, response: { cp, ciudad, municipio, estado, asentamiento: colonias } };
}

export const publicas: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/codigoPostal/{cp}',
    resumen: 'El lugar de un código postal, con sus colonias.',
    alcance: 'envios',
    acceso: 'sesion',
    params: UnCp,
    answer: CodigoPostal,
    run: (db, { params: { cp } }) => codigoPostal(db, cp),
  }),
  defineOpenCall({
    method: 'GET',
    path: '/api/codigoPostal/{cp}/{token}',
    resumen: 'El lugar de un código postal, para el cliente de un enlace.',
    params: UnCp.extend(Token.shape),
    answer: CodigoPostal,
    async run(db, { params: { cp, token } }) {
      const { id } = await requireEnlace(db, token);
      const { allowed, retryAfterSeconds } = await takeRate(db, `cpEnvio:${id}`, LIMITE_CP);
      if (!allowed) throw new LimitReached('Demasiados códigos postales en una hora.', retryAfterSeconds);
      return codigoPostal(db, cp);
    },
  }),
  defineOpenCall({
    method: 'GET',
    path: '/api/envio/{clave}',
    resumen: 'Los datos de envío que un cliente puede dar con su enlace. La clave es el token del enlace.',
    params: z.object({ clave: z.string().min(1).max(200) }),
    answer: Datos.extend({
      orden: z.string(),
      titulo: z.string(),
      motivo: z.string().nullable(),
      huella: z.string().meta({ description: 'La marca de lo que se leyó: `envioP` la repite.' }),
    }),
    async run(db, { params: { clave } }) {
      const { numOrden } = await requireEnlace(db, clave);
      const { titulo, motivo, escrito, huella } = await readDatosCliente(db, numOrden);
      const { nombre, entrega, ...datos } = escrito;
      return {
        ...datos,
        nombreReceptor: nombre,
        ocurre: entrega === 'ocurre',
        orden: numOrden,
        titulo,
        motivo,
        huella,
      };
    },
  }),
  defineOpenCall({
    method: 'POST',
    path: '/api/envioP/{token}',
    resumen: 'Guarda los datos de envío de un cliente.',
    params: Token,
    body: Datos.extend({
      huella: z
        .string()
        .max(200)
        .optional()
        .meta({ description: 'La marca que dio `/api/envio/{clave}`. Sin ella vale lo último que se escribe.' }),
    }),
    answer: Hecho,
    async run(db, { params: { token }, body: { nombreReceptor, ocurre, huella: mostrada, ...escrito } }) {
      const enlace = await requireEnlace(db, token);
      const huella = mostrada ?? (await readDatosCliente(db, enlace.numOrden)).huella;
      const hallazgo =
        isCp(escrito.cp) && (await takeRate(db, `cpEnvio:${enlace.id}`, LIMITE_CP)).allowed
          ? await findCp(db, escrito.cp)
          : null;
      const lugar = hallazgo?.tipo === 'encontrado' ? hallazgo.lugar : null;
      const filled = Object.fromEntries(Object.entries(escrito).filter(([, value]) => value.trim() !== ''));
      const read = datosClienteForm(lugar).safeParse({
        ...filled,
        nombre: nombreReceptor,
        entrega: ocurre ? 'ocurre' : 'domicilio',
        huella,
      });
      if (!read.success) throw new NotAllowed('Datos del envio', read.error.issues[0]?.message ?? FALTAN);
      await db.transaction().execute(async (trx) => {
        await saveDatosCliente(trx, enlace.numOrden, read.data, lugar);
        await noteUse(trx, enlace.id);
      });
      return hecho('Datos del envio guarados de forma correcta');
    },
  }),
];
