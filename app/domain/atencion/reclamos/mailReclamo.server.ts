import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { defineCarta } from '~/platform/effects/carta.server';
import { acceptEffect, isDoneSoon } from '~/platform/effects/effects.server';
import { type Destinatario, destinatariosOf } from '~/domain/compras/directorio/proveedor';
import { readDirectorio } from '~/domain/compras/directorio/proveedores.server';
import { transact, type Db, type Trx } from '~db/client.server';

const TITULO = 'Error al enviar el correo.';

/** The letter to a supplier about a claim on what it sold us. Sent at least once, with the same Message-ID. */
export const mailReclamoEffect = defineCarta({
  type: 'reclamo.mail',
  label: 'Correo de un reclamo',
  request: z.object({
    reclamoId: z.string(),
    proveedor: z.string(),
    emails: z.array(z.string()).min(1),
    asunto: z.string(),
    texto: z.string(),
  }),
  key: ({ reclamoId, proveedor }) => `${reclamoId}:${proveedor}`,
  subjects: ({ reclamoId }) => [['reclamo', reclamoId]],
  summary: ({ asunto, emails }) => ({ que: asunto, emails }),
  again: true,
  write: ({ request: { emails, asunto, texto } }) => ({ to: emails, subject: asunto, text: texto }),
  noted: ({ reclamoId, proveedor, emails }) => ({
    entidad: 'reclamo',
    entidadId: reclamoId,
    accion: 'correo al proveedor',
    datos: { proveedor, destinatarios: emails.length },
  }),
});

/** Returns the suppliers that the letter would go to, for the question before it. */
export async function destinatariosOfReclamo(db: Db | Trx, id: string): Promise<Destinatario[]> {
  const articulos = await db
    .selectFrom('reclamo')
    .innerJoin('orden', (on) =>
      on.onRef('orden.market', '=', 'reclamo.market').onRef('orden.marketId', '=', 'reclamo.ordenMarketId'),
    )
    .innerJoin('articulo', 'articulo.ordenId', 'orden.id')
    .select('articulo.proveedor')
    .where('reclamo.id', '=', id)
    .orderBy('articulo.posicion')
    .execute();
  return destinatariosOf(
    await readDirectorio(db),
    articulos.map(({ proveedor }) => proveedor),
  );
}

async function accept(trx: Trx, id: string, usuarioId: string): Promise<string[]> {
  const reclamo = await trx
    .selectFrom('reclamo')
    .leftJoin('orden', (on) =>
      on.onRef('orden.market', '=', 'reclamo.market').onRef('orden.marketId', '=', 'reclamo.ordenMarketId'),
    )
    .select(['reclamo.marketId', 'reclamo.titulo', 'reclamo.problema', 'orden.id as ordenId', 'orden.numOrden'])
    .where('reclamo.id', '=', id)
    .executeTakeFirst();
  if (!reclamo?.ordenId) throw new NotAllowed(TITULO, 'El reclamo no es de una orden que esté aquí.');
  const articulos = await trx
    .selectFrom('articulo')
    .select(['nombre', 'cantidad', 'modelo', 'proveedor'])
    .where('ordenId', '=', reclamo.ordenId)
    .orderBy('posicion')
    .execute();
  const destinatarios = await destinatariosOfReclamo(trx, id);
  if (destinatarios.length === 0)
    throw new NotAllowed(TITULO, 'Los artículos de la orden no son de ningún proveedor del catálogo.');
  const ids: string[] = [];
  for (const { proveedor, label, emails } of destinatarios) {
    if (emails.length === 0) throw new NotAllowed(TITULO, `${label} no tiene agentes activos ni un correo.`);
    const suyos = articulos.filter((articulo) => articulo.proveedor?.toLowerCase() === proveedor);
    const texto = [
      'Hola:',
      '',
      `El comprador de nuestra orden ${reclamo.numOrden} abrió el reclamo ${reclamo.marketId}.`,
      ...(reclamo.titulo ? [reclamo.titulo] : []),
      ...(reclamo.problema ? [reclamo.problema] : []),
      '',
      'Artículos:',
      ...suyos.map(({ nombre, cantidad, modelo }) => `- ${cantidad} x ${modelo ? `${modelo}: ` : ''}${nombre}`),
      '',
      env().MARCA,
    ].join('\n');
    const { id: effectId } = await acceptEffect(trx, mailReclamoEffect, {
      request: {
        reclamoId: id,
        proveedor,
        emails,
        asunto: `Reclamo ${reclamo.marketId} de la orden ${reclamo.numOrden}`,
        texto,
      },
      usuarioId,
    });
    ids.push(effectId);
  }
  return ids;
}

/** Writes to each supplier of the order. Returns whether all the letters have left by now. Throws NotAllowed when no supplier can be written to. */
export async function mailReclamo(db: Db, id: string, usuarioId: string): Promise<boolean> {
  const ids = await transact(db, (trx) => accept(trx, id, usuarioId));
  const left = await Promise.all(ids.map((effectId) => isDoneSoon(db, effectId, TITULO)));
  return left.every(Boolean);
}
