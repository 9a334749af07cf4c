import { listFrescura } from '~/domain/compras/catalogo/frescura.server';
import { listConnections } from '~/platform/connections/list.server';
import { FRESCO_CIFRAS_MS, keep } from '~/platform/hoy/fresco.server';
import { readOrLast } from '~/platform/hoy/leida.server';
import type { Db } from '~db/client.server';

/** Reads every far side with its link and its calls, and how fresh the catalogue of each supplier is: the facts of 'Activación de API' and of the catalogues. */
export const readLados = (db: Db) =>
  keep(db, 'lados', FRESCO_CIFRAS_MS, () =>
    readOrLast(db, 'lados', async (ahora) => {
      const [conexiones, catalogos] = await Promise.all([listConnections(db), listFrescura(db, ahora)]);
      return { conexiones, catalogos };
    }),
  );
