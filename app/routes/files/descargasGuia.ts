import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { FORMATOS_DE_ETIQUETA } from '~/core/formatoDeEtiqueta';
import { readGuiaFile } from '~/domain/ventas/envios/traerGuia.server';
import { db } from '~db/shared.server';
import { show } from '~/http/download.server';
import { readQuery } from '~/http/readForm.server';

const Formato = z.object({ formato: z.enum(FORMATOS_DE_ETIQUETA).catch('pdf') });

/** Sends the label of a shipment for printing, as PDF or in ZPL. A cancelled label is refused. */
export async function loader({ request, params: { id = '' } }: LoaderFunctionArgs) {
  return show(request, await readGuiaFile(db(), id, readQuery(request, Formato).formato));
}
