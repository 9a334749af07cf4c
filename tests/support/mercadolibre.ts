import type { Db } from '~db/client.server';
import { linkMercadolibre, openMercadolibre, startLink } from '~/domain/mercados/ml/cuenta.server';
import type { Fuente } from '~/domain/mercados/mercado';
import { fuenteMl } from '~/domain/mercados/ml/fuente.server';
import { createMercadoMl } from '~/domain/mercados/ml/internal/mercadoMl.server';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import type { SandboxClient } from './sandboxClient';

/** What the sandbox tells of an order it invented: the truth the product is compared with. Amounts are pesos. */
export type OrderFacts = {
  id: string;
  packId: string | null;
  numOrden: string;
  scenario: string;
  status: string;
  clase: 'normal' | 'cancelada' | 'devuelta' | 'invalida' | 'reventa' | 'pendiente';
  titulo: string;
  sku: string | null;
  cantidad: number;
  precio: number;
  total: number;
  envio: number;
  envioId: string | null;
  datosFiscales: string;
  rfc: string | null;
};

export type SaleFacts = {
  numOrden: string;
  packId: string | null;
  ordenes: string[];
  total: number;
  productos: number;
  envio: number;
};

let people = 0;

/** Somebody of the staff, without a password that works. */
export async function buildUsuario(db: Db, rol: 'sa' | 'admin' = 'sa') {
  return await db
    .insertInto('usuario')
    .values({
      usuario: `persona-${++people}`,
      nombre: 'Quien',
      apellidos: 'Activa',
      email: 'quien@trastienda.test',
      rol,
      passwordHash: 'sin contraseña',
    })
    .returning(['id', 'usuario', 'nombre', 'apellidos', 'email', 'rol', 'activo'])
    .executeTakeFirstOrThrow();
}

/** The marketplace's page, read and answered by the owner of the account: the code and the state it sends back. */
export async function authorize(sandbox: SandboxClient, address: string): Promise<{ code: string; state: string }> {
  return await sandbox.mercadolibre.post('/authorize', Object.fromEntries(new URL(address).searchParams));
}

/** Links the sandbox's seller the way people do, and returns the client. */
export async function linkSandbox(db: Db, sandbox: SandboxClient) {
  const usuario = await buildUsuario(db);
  const outcome = await linkMercadolibre(db, usuario, await authorize(sandbox, await startLink(db, usuario)));
  if (outcome !== 'lista') throw new Error(`la activación terminó en «${outcome}»`);
  return openMercadolibre(db);
}

/** Mercado Libre as the registry knows it, asked with this client. */
export const fuenteDe = (ml: Mercadolibre): Fuente => ({ ...fuenteMl, open: () => createMercadoMl(ml) });
