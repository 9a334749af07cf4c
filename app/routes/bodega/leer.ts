import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { usuarioOf } from '~/access/session.server';
import { askFotos } from '~/domain/compras/catalogo/fotos.server';
import { viewEscaneado, viewVenta } from '~/domain/compras/stock/bodega.server';
import { listPartes, viewConteo } from '~/domain/compras/stock/conteos.server';
import { listPorEmpacar, viewPaquete } from '~/domain/compras/stock/empaque.server';
import { listPorRecibir } from '~/domain/compras/stock/devoluciones.server';
import { parseCodigo, parseFolio } from '~/domain/compras/stock/pieza';
import { readQuery } from '~/http/readForm.server';
import { db } from '~db/shared.server';

const Texto = z.string().trim().min(1).max(200).optional();
const Si = z.literal('1').optional();
const Leer = z.object({ texto: Texto, paquete: Texto, empaque: Si, conteo: Texto, conteos: Si });

/**
 * Looks up a scanned label or a number: a piece, a blank label, or a sale; `paquete` names a parcel, and `empaque` asks for those to pack; `conteo` names a count, and
 * `conteos` asks what can be counted. Without a code it answers the returns that wait to be received.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { texto, paquete, empaque, conteo, conteos } = readQuery(request, Leer);
  if (conteos) return di({ clase: 'conteos', partes: await listPartes(db()) });
  if (conteo) return di(await viewConteo(db(), conteo).then((suyo) => suyo && { clase: 'conteo', conteo: suyo }));
  if (empaque) return di({ clase: 'empaque', ...(await listPorEmpacar(db())) });
  if (paquete) {
    const suyo = await viewPaquete(db(), paquete, usuarioOf(context).id);
    // The worker brings the pictures for the next look.
    await Promise.all((suyo?.sinFoto ?? []).map((producto) => askFotos(db(), producto)));
    return di(suyo && { clase: 'paquete', paquete: suyo });
  }
  const found = !texto
    ? { clase: 'porRecibir' as const, ...(await listPorRecibir(db(), usuarioOf(context))) }
    : parseFolio(texto) || parseCodigo(texto)
      ? await viewEscaneado(db(), texto)
      : await viewVenta(db(), texto).then((venta) => venta && { clase: 'venta' as const, venta });
  return di(found);
}

const di = (found: object | undefined) =>
  Response.json(found ?? { clase: 'nada' }, { headers: { 'Cache-Control': 'no-store' } });
