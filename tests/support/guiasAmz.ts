import { fuenteAmz } from '~/domain/mercados/amz/fuente.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import type { Db } from '~db/client.server';
import type { AmazonFacts } from './amazon';
import type { SandboxClient } from './sandboxClient';

/** A label as the sandbox sold it. */
export type GuiaFacts = {
  id: string;
  venta: string;
  servicio: string;
  centavos: number;
  estado: string;
  guia: string;
  piezas: { OrderItemId: string; Quantity: number }[];
  remitente: string;
};

export const REMITENTE = {
  nombre: 'Demo Tienda',
  calle: 'Av. Industria 250',
  colonia: 'Parque Norte',
  ciudad: 'Monterrey',
  estado: 'Nuevo León',
  cp: '64000',
  telefono: '8112345678',
  email: 'envios@demo.mx',
};
export const PAQUETE = { peso: '1.50', largo: '30', ancho: '20', alto: '15' };

/** A sale that we send ourselves, as the sync brings it. */
export async function sellPorEnviar(db: Db, sandbox: SandboxClient, escenario = 'porEnviar') {
  const { id: numOrden } = await sandbox.proveedor('amazon').post<AmazonFacts>('/ventas', { escenario, cantidad: 2 });
  await syncVentas(db, fuenteAmz, { kind: 'sweep' });
  const { id, envioId } = await db
    .selectFrom('orden')
    .select(['id', 'envioId'])
    .where('marketId', '=', numOrden)
    .executeTakeFirstOrThrow();
  return { id, envioId: envioId!, numOrden };
}

/** From where labels say that we send. */
export const conRemitente = (db: Db) =>
  db
    .insertInto('remitente')
    .values({ conexion: 'amazon', ...REMITENTE })
    .onConflict((on) => on.doNothing())
    .execute();
