import type { AppLoadContext } from '@remix-run/node';
import type { Db } from '~db/client.server';
import { findPorProbar, keepPorProbar, requirePrueba, takePorProbar } from '~/domain/personal/prueba.server';
import { hasSegundoFactor } from '~/domain/personal/segundoFactor.server';
import { Prueba } from '~/domain/personal/forms';
import { sesionOf } from './session.server';

export { findPorProbar, keepPorProbar, Prueba, requirePrueba, takePorProbar };

/** Returns the facts about the person that the page that asks for a proof shows. */
export async function whoProves(db: Db, context: AppLoadContext) {
  const { usuario } = sesionOf(context);
  return { usuario: usuario.usuario, conCodigo: await hasSegundoFactor(db, usuario.id) };
}
