import { createReadableStreamFromReadable, type LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { sesionOf, usuarioOf } from '~/access/session.server';
import { FORMATOS_DE_ETIQUETA } from '~/core/formatoDeEtiqueta';
import { drawEtiquetas } from '~/domain/compras/stock/drawEtiquetas.server';
import { etiquetasOf } from '~/domain/compras/stock/etiquetas.server';
import { isDeRollo } from '~/domain/compras/stock/papel';
import { PAPELES } from '~/domain/compras/stock/pieza';
import { writeZpl } from '~/domain/compras/stock/writeZpl.server';
import { db } from '~db/shared.server';
import { dispositionOf } from '~/http/download.server';

const Papel = z.enum(PAPELES).catch('rollo50');
const Formato = z.enum(FORMATOS_DE_ETIQUETA);

/**
 * Sends the labels of one piece, of one press of 'Crear devolución', of the rows chosen in a list, or of a run of blank labels: to keep, or to be
 * printed from where they are shown (`?ver=1`). Their format is that of the person unless `formato` says another. A sheet is a PDF always: ZPL is for rolls.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const search = new URL(request.url).searchParams;
  const [alta, lote, tirada] = [search.get('alta'), search.get('lote'), search.get('tirada')];
  const etiquetas = await etiquetasOf(
    db(),
    lote ? { lote, usuarioId: usuario.id } : alta ? { alta } : tirada ? { tirada } : { piezas: search.getAll('pieza') },
  );
  if (etiquetas.length === 0) throw new Response('No existe.', { status: 404 });
  const papel = Papel.parse(search.get('papel'));
  const formato = Formato.catch(sesionOf(context).preferencias.etiquetas).parse(search.get('formato'));
  const nombre = etiquetas.length === 1 ? etiquetas[0]!.codigo : `Etiquetas ${etiquetas.length}`;
  if (formato === 'zpl' && isDeRollo(papel))
    return new Response(writeZpl(etiquetas, papel), {
      headers: {
        'Content-Type': 'application/zpl; charset=utf-8',
        'Content-Disposition': dispositionOf(`${nombre}.zpl`),
        'Cache-Control': 'no-store',
      },
    });
  return new Response(createReadableStreamFromReadable(drawEtiquetas(etiquetas, papel)), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': dispositionOf(`${nombre}.pdf`, search.get('ver') === '1' ? 'inline' : 'attachment'),
      'Cache-Control': 'no-store',
    },
  });
}
