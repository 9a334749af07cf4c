import { Money } from '~/core/money';
import { defineEffect } from '~/platform/effects/definition';
import { Refused, Unavailable, Uncertain } from '~/integrations/errors';
import type { CambioDeItem, PublicacionMostrada } from '~/integrations/mercadolibre/write.server';
import {
  settleCambio,
  Cambio,
  giveBackCambio,
  Dicho,
  show,
  requireVigente,
  subjectsOf,
} from './internal/cambio.server';

const dichoOf = ({ precio, stock, titulo, estatus, subestatus }: PublicacionMostrada): Dicho => ({
  precio: precio?.toFixed(2) ?? null,
  stock,
  titulo,
  estatus,
  subestatus,
});

/** Changes price, stock, title or status of one listing. Saying the same twice changes nothing there, but an old value must not land on a new one: one is alive for each listing. */
export const cambiarMl = defineEffect({
  type: 'ml.publicacion',
  label: 'Cambio de una publicación en Mercado Libre',
  connection: 'mercadolibre',
  request: Cambio,
  evidence: Dicho,
  key: ({ publicacionId }) => publicacionId,
  subjects: subjectsOf,
  summary: ({ clave }) => ({ que: clave }),
  unclear: 'find',
  again: true,
  ready: ({ id, request, db }) => requireVigente(db, id, request),
  async send({ request, clients }) {
    const ml = clients.ml();
    const conVariantes = request.variantes > 0 ? await ml.publicacion(request.clave) : null;
    const body = cuerpoOf(request, conVariantes);
    try {
      return dichoOf(await ml.cambiarPublicacion(request.clave, body));
    } catch (error) {
      // Two writes close together: it was decided before any work, and the same may be told a moment later.
      if (error instanceof Uncertain && error.details.status === 409)
        throw new Unavailable('Mercado Libre está cambiando esa publicación', {
          status: 409,
          retryAfterMs: 3_000,
          cause: error,
        });
      throw error;
    }
  },
  async find({ request, clients }, known) {
    if (known) return known;
    const doc = await clients.ml().publicacion(request.clave);
    if (!doc) return 'absent';
    const dicho = dichoOf(doc);
    return show(dicho, request) ? dicho : 'absent';
  },
  confirm: (_, dicho) => Promise.resolve(dicho),
  settle: (trx, effect, dicho) => settleCambio(trx, effect, dicho),
  release: (trx, effect, razon) => giveBackCambio(trx, effect, razon),
});

/** Of a listing with variants every one is named, as it stands there now. */
function cuerpoOf({ precio, stock, titulo, estatus }: Cambio, doc: PublicacionMostrada | null): CambioDeItem {
  const price = precio === null ? undefined : Number(Money.of(precio).toFixed(2));
  const resto = { ...(titulo !== null && { title: titulo }), ...(estatus !== null && { status: estatus }) };
  const variantes = doc?.variantes ?? [];
  if (variantes.length === 0)
    return { ...(price !== undefined && { price }), ...(stock !== null && { available_quantity: stock }), ...resto };
  if (stock !== null && variantes.length > 1)
    throw new Refused('Tiene varias variantes: su stock se cambia en Mercado Libre, variante por variante.');
  return {
    variations: variantes.map((id) => ({
      id: Number(id),
      ...(price !== undefined && { price }),
      ...(stock !== null && { available_quantity: stock }),
    })),
    ...resto,
  };
}
