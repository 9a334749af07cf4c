import { createReadableStreamFromReadable, type LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { usuarioOf } from '~/access/session.server';
import { drawEtiquetas } from '~/domain/compras/stock/drawEtiquetas.server';
import { etiquetasOf } from '~/domain/compras/stock/etiquetas.server';
import { PAPELES } from '~/domain/compras/stock/pieza';
import { db } from '~db/shared.server';
import { dispositionOf } from '~/http/download.server';

const Papel = z.enum(PAPELES).catch('rollo50');

/**
 * Sends the labels of one piece, of one press of 'Crear devolución', of the rows chosen in a list, or of a run of blank labels: to keep, or to be
 * printed from where they are shown (`?ver=1`).
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
  const nombre = etiquetas.length === 1 ? `${etiquetas[0]!.codigo}.pdf` : `Etiquetas ${etiquetas.length}.pdf`;
  return new Response(createReadableStreamFromReadable(drawEtiquetas(etiquetas, Papel.parse(search.get('papel')))), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': dispositionOf(nombre, search.get('ver') === '1' ? 'inline' : 'attachment'),
      'Cache-Control': 'no-store',
    },
  });
}
