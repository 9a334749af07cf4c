import { EXCEL, lotesOf } from '~/access/lotes';
import type { Rol } from '~/access/screens';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import type { AccionDeLote } from '~/ui/lista/Lote';

/** Returns the actions that a list's bar offers a person for several rows. */
export function accionesOfList(lista: string, usuario: { rol: Rol }): AccionDeLote[] {
  return lotesOf(usuario, lista).map((hacer) => ({
    hacer,
    boton: hacer === EXCEL ? 'Excel de las elegidas' : ACCIONES[hacer]!.boton,
  }));
}
