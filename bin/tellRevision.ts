import { writeCount } from '~/core/count';
import type { Revision } from '~db/reviewMigrations';

/** Most things that a line tells of one migration. */
const MOST = 4;

/** Returns a line for each pending migration: what it does, what it holds up, and what it waits for. */
export function linesOf({ pendientes, pasos, bloqueos, esperas }: Revision): string[] {
  if (pasos.length === 0 && pendientes.length > 0)
    return [`Base sin tablas: se hacen con ${pendientes.length} migraciones.`];
  return pasos.map(({ migracion, hace }) => {
    const more = hace.length > MOST ? ` y ${hace.length - MOST} cosas más` : '';
    const does = hace.length === 0 ? 'prepara la base' : `${hace.slice(0, MOST).join(', ')}${more}`;
    const holds = bloqueos.filter((one) => one.migracion === migracion);
    const told = new Set(
      holds.map(({ tabla, filas, que }) => `Detiene «${tabla}» (unas ${writeCount(filas)} filas). ${que}`),
    );
    const waits = esperas.flatMap((one) =>
      one.migracion === migracion ? [`Espera y no cambiaría nada: ${one.que}.`] : [],
    );
    return [`${migracion}: ${does}.`, ...(told.size === 0 ? ['No detiene a nadie.'] : told), ...waits].join(' ');
  });
}
