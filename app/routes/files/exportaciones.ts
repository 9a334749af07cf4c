import type { LoaderFunctionArgs } from '@remix-run/node';
import { mayReadList } from '~/access/lists';
import { landingOf, usuarioOf } from '~/access/session.server';
import { EXPEDIENTE } from '~/domain/operacion/expediente.server';
import { findList } from '~/domain/operacion/exports/lists.server';
import { dismissExport, exportsOf, requestExport } from '~/platform/lists/exportRuns.server';
import { ExportacionesDe, PedirExpediente, PedirExportacion, QuitarExportacion } from '~/platform/lists/forms';
import { defineActions } from '~/http/actions.server';
import { readQuery } from '~/http/readForm.server';
import { db } from '~db/shared.server';

/** Answers the progress of this person's exports. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { lista } = readQuery(request, ExportacionesDe);
  return Response.json(await exportsOf(db(), usuarioOf(context).id, lista));
}

export const action = defineActions({
  /** Asks for the Excel of a list, and goes back to it. */
  pedir: {
    schema: PedirExportacion,
    commit: (trx, { lista, search }, usuario) => {
      if (!mayReadList(usuario, lista) || !findList(lista)) throw new Response('No existe.', { status: 404 });
      return requestExport(trx, { lista, search, usuarioId: usuario.id });
    },
    to: ({ volver }, _, usuario) => landingOf(usuario, volver),
  },
  /** Asks for the expediente of a month, and goes back to its page. */
  expediente: {
    schema: PedirExpediente,
    right: 'facturas.expediente',
    commit: (trx, { mes }, usuario) => requestExport(trx, { lista: EXPEDIENTE, search: mes, usuarioId: usuario.id }),
    to: ({ volver }, _, usuario) => landingOf(usuario, volver),
  },
  /** Removes a finished export from the page. */
  quitar: {
    schema: QuitarExportacion,
    run: (db, { id }, usuario) => dismissExport(db, { id, usuarioId: usuario.id }),
    to: ({ volver }, _, usuario) => landingOf(usuario, volver),
  },
});
