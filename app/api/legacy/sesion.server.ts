import { z } from 'zod';
import { LimitReached, NotAllowed } from '~/core/errors';
import { Texto } from '~/core/fields';
import { enterAnterior } from '~/domain/personal/clavesApi.server';
import { openSession, readSession } from '~/domain/personal/sesiones.server';
import { ROLES } from '~/core/usuario';
import { findEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { readCallerOf } from '../authenticate.server';
import { defineOpenCall, type Call } from '../call.server';
import { ApiProblem } from '../problem.server';

const Token = z.object({ token: z.string().min(1).max(200) });

const Login = z.object({
  user: Texto(60),
  password: z.string().min(1).max(200),
  codigo: Texto(20).optional().meta({ description: 'El de la verificación en dos pasos, de quien la tiene.' }),
});

/** The flag tells what the door refuses, a dead token too; who tries too often still reads when to come back. */
async function atTheDoor<T>(enter: () => Promise<T>): Promise<T> {
  try {
    return await enter();
  } catch (error) {
    if (!(error instanceof NotAllowed || error instanceof ApiProblem) || error instanceof LimitReached) throw error;
    const codigo = error instanceof ApiProblem ? error.codigo : 'sin-autenticar';
    throw new ApiProblem(codigo, error.message, { titulo: error.titulo, cause: error, bandera: true });
  }
}

export const sesion: Call[] = [
  defineOpenCall({
    method: 'POST',
    path: '/api/usuario/login',
    resumen: 'Entra con usuario y contraseña, la propia o una de API.',
    secreta: true,
    body: Login,
    answer: z.object({ token: z.string(), rol: z.enum(ROLES), error: z.literal(false), message: z.string() }),
    run: (db, { body: { user, password, codigo }, ip }) =>
      atTheDoor(async () => {
        const entra = await enterAnterior(db, { usuario: user, password, codigo, ip, dispositivo: null });
        const token = await db
          .transaction()
          .execute((trx) => openSession(trx, entra, true, entra.segundoFactorEn, entra));
        return { token, rol: entra.rol, error: false as const, message: '' };
      }),
  }),
  defineOpenCall({
    method: 'POST',
    path: '/api/usuario/login/token',
    resumen: 'De quién es un token.',
    secreta: true,
    soloLee: true,
    body: Token,
    answer: z.object({
      nombre: z.string(),
      apellidos: z.string(),
      rol: z.enum(ROLES),
      error: z.literal(false),
      message: z.string(),
    }),
    async run(db, { body: { token } }) {
      const { nombre, apellidos, rol } = (await atTheDoor(() => readCallerOf(db, token))).usuario;
      return { nombre, apellidos, rol, error: false as const, message: '' };
    },
  }),
  defineOpenCall({
    method: 'GET',
    path: '/api/checkToken/{token}',
    resumen: 'Si un token vive: el de una sesión o el del enlace de un cliente.',
    sucesor: 'POST /api/usuario/login/token',
    secreta: true,
    params: Token,
    answer: z.object({ token: z.string(), error: z.literal(false), message: z.string() }),
    async run(db, { params: { token } }) {
      const lives =
        (await readSession(db, token)) ??
        (await findEnlace(db, token, 'facturacion')) ??
        (await findEnlace(db, token, 'datosEnvio'));
      if (!lives)
        throw new ApiProblem('sin-autenticar', 'El token no existe, venció o se revocó.', {
          titulo: 'Error de verificación.',
          bandera: true,
        });
      return { token, error: false as const, message: '' };
    },
  }),
];
