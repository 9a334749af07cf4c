import { z } from 'zod';
import { env } from '~/core/env.server';
import { SUBIDA, TIPO_DE_APP } from '~/domain/operacion/aplicacion/aplicacion';
import { findAplicacion, readTramo, receiveWhole } from '~/domain/operacion/aplicacion/aplicaciones.server';
import { streamFile } from '~/http/streamFile.server';
import { receiveFile } from '~/http/upload.server';
import { defineCall, type Call } from '../call.server';
import { ApiProblem } from '../problem.server';
import { Hecho, hecho } from './shapes';

export const aplicacionAnterior: Call[] = [
  defineCall({
    method: 'POST',
    path: '/api/empresa/file/app',
    resumen: 'Sube la aplicación para teléfonos.',
    alcance: 'aplicacion',
    acceso: { pantalla: 'subirApp' },
    recibe: { campo: 'file', corriente: true },
    answer: Hecho,
    async run(db, { request, usuario }) {
      await receiveWhole(db, usuario.id, (tomar) => receiveFile(request, 'file', tomar));
      return hecho(SUBIDA);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/empresa/download',
    resumen: 'La aplicación para teléfonos.',
    alcance: 'aplicacion',
    acceso: 'sesion',
    archivo: 'application/vnd.android.package-archive',
    answer: z.string(),
    async run(db, { request }) {
      const app = await findAplicacion(db, null);
      if (!app) throw new ApiProblem('no-encontrado', 'Todavía no hay una app.', { titulo: 'Error de carga.' });
      return streamFile(request, {
        nombre: `${env().MARCA}.${app.formato}`,
        tipo: TIPO_DE_APP[app.formato],
        bytes: app.bytes,
        etag: `"${app.sha256.toString('hex')}"`,
        lee: (from, to) => readTramo(db, app.id, from, to),
      });
    },
  }),
];
