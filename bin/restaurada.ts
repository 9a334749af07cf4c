/**
 * Last step of `npm run restaurar`: marks the database as restored from a backup, and reconciles the database with the
 * PAC. RESTAURADA names the backup and the moment up to which the data are known. `--conciliar` alone reconciles again.
 */
import { z } from 'zod';
import { directUrlOf } from '~/core/env.server';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { handIn } from '~/domain/operacion/handIn.server';
import { watchCondiciones } from '~/domain/operacion/mantenimiento/condiciones.server';
import { reconcilePac, markRestaurada } from '~/domain/operacion/mantenimiento/restauracion.server';
import { openDatabase } from '~db/client.server';
import { requireSettings } from './requireSettings';

handIn();

const Restaurada = z.object({ nombre: z.string(), sabeHasta: z.coerce.date() });

const { db, close } = openDatabase(directUrlOf(requireSettings(['CAPTURAS'])));
try {
  if (process.env.RESTAURADA) await markRestaurada(db, EFFECTS, Restaurada.parse(JSON.parse(process.env.RESTAURADA)));
  try {
    const { conocidas, adoptadas, canceladas, inexplicadas } = await reconcilePac(
      db,
      await connectPacReader(db, { timeoutMs: 60_000 }),
    );
    console.log(
      `Conciliado con el PAC: ${conocidas} CFDI ya estaban, ${adoptadas.length} se adoptaron y ${canceladas.length} estaban cancelados allá.`,
    );
    for (const one of inexplicadas) console.log(`  Sin explicación: ${one}`);
  } catch (error) {
    console.error(
      `No se pudo conciliar con el PAC (${error instanceof Error ? error.message : String(error)}). Todo sigue en pausa; repítelo con npm run restaurar -- --conciliar`,
    );
    process.exitCode = 1;
  }
  await watchCondiciones(db);
} finally {
  await close();
}
