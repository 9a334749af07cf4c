import { NotAllowed } from '~/core/errors';
import type { Usuario } from '~/core/usuario';
import type { Cola } from '~/platform/hoy/cola';
import { forget } from '~/platform/hoy/fresco.server';
import { abiertasOf, readCola, type Abierta } from '~/platform/hoy/hoy.server';
import type { Db, Trx } from '~db/client.server';
import { ROLES, screensOf, type Rol } from './screens';

/** Returns the queues of a role: those whose screens the role may open. */
export function colasOf({ rol }: { rol: Rol }, colas: readonly Cola[]): Abierta[] {
  const suyas = new Set(screensOf(rol).map(([key]) => key));
  return abiertasOf(colas, (pantalla) => suyas.has(pantalla));
}

/** Returns the roles that may see to a queue. */
export const rolesOfCola = ({ cola }: Abierta): Rol[] => ROLES.filter((rol) => colasOf({ rol }, [cola]).length > 0);

type Cual = { cola: string; cosa: string };

/** Runs an act on a thing that still waits, in a queue of this person. Throws NotAllowed for a queue of others, and for a thing that waits no more. */
export async function encargar<T>(
  db: Db,
  colas: readonly Cola[],
  { cola, cosa }: Cual,
  usuario: Usuario,
  work: (trx: Trx, cual: Cual, abierta: Abierta) => Promise<T>,
): Promise<T> {
  const abierta = colasOf(usuario, colas).find((una) => una.cola.clave === cola && !una.cola.sola);
  if (!abierta) throw new NotAllowed('Error de autenticación.', 'El rol de este usuario no puede hacer este cambio.');
  if ((await readCola(db, abierta, usuario, cosa)).lineas.length === 0)
    throw new NotAllowed('Hoy', 'Eso ya no espera a nadie: alguien lo atendió.');
  try {
    return await db.transaction().execute((trx) => work(trx, { cola, cosa }, abierta));
  } finally {
    forget();
  }
}
