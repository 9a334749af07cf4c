import {
  enqueuePublicaciones,
  bringMovidas,
  bringTodas,
} from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { readDescripciones } from '~/domain/publicaciones/publicaciones/descripciones.server';
import { bringCompetencias } from '~/domain/publicaciones/publicaciones/competencia.server';
import { bringPromociones } from '~/domain/publicaciones/publicaciones/promociones.server';
import { nameCategorias } from '~/domain/publicaciones/publicador/categorias.server';
import { defineTask } from '../task.server';

export default defineTask('publicaciones.sync', async ({ market, modo }, { db, signal }) => {
  if (!market) return await enqueuePublicaciones(db, modo);
  if (modo === 'competencia') return void (await bringCompetencias(db, market, { signal }));
  if (modo === 'promociones') return void (await bringPromociones(db, market, { signal }));
  if (modo === 'todas') await bringTodas(db, market, { signal });
  else await bringMovidas(db, market, { signal });
  await nameCategorias(db, market);
  await readDescripciones(db, market);
});
