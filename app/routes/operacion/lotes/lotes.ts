import { EXCEL, lotesOf } from '~/access/lotes';
import type { Rol } from '~/access/screens';
import { ACCIONES } from '~/domain/operacion/loteCatalog.server';
import type { AccionDeLote } from '~/ui/lista/Lote';

/** What the bar of a list offers somebody for several of its rows. */
export function accionesOfList(lista: string, usuario: { rol: Rol }): AccionDeLote[] {
  return lotesOf(usuario, lista).map((hacer) => ({
    hacer,
    boton: hacer === EXCEL ? 'Excel de las elegidas' : ACCIONES[hacer]!.boton,
  }));
}
