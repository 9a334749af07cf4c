/**
 * Data of the demo: users, accounts at the sandbox and the first sync, all made through the commands that people use.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { findCredential } from '~/platform/connections/credentials.server';
import type { FarSide } from '~/platform/connections/definition';
import { saveKeys } from '~/platform/connections/keys.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { startOauth } from '~/platform/connections/oauth.server';
import type { Activacion } from '~/domain/mercados/activacion';
import { startLink } from '~/domain/mercados/ml/cuenta.server';
import { finishActivacion } from '~/domain/mercados/regreso.server';
import type { Rol } from '~/core/usuario';
import { insertUsuario } from '~/domain/personal/usuarios.server';
import { linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import type { Db } from '../../db/client.server';
import { seedCodigosPostales } from './codigosPostales';

export const DEMO_PASSWORD = 'Trastienda#1';

/** The supplier whose whole catalogue is closed from 9:00 to 19:00, and an hour at which it is open. */
const CERRADO_DE_DIA = 'cva';
const DE_NOCHE = '20:00';

const PEOPLE: { rol: Rol; nombre: string; apellidos: string }[] = [
  { rol: 'sa', nombre: 'Sofía', apellidos: 'Alcántara Ruiz' },
  { rol: 'admin', nombre: 'Adrián', apellidos: 'Mendoza Salas' },
  { rol: 'user', nombre: 'Úrsula', apellidos: 'Serrano Pech' },
  { rol: 'aux', nombre: 'Axel', apellidos: 'Uribe Xool' },
  { rol: 'cont', nombre: 'Consuelo', apellidos: 'Tapia Núñez' },
];

/**
 * Makes the missing data and nothing else, so every start may call this function. Throws when the database belongs to a
 * real shop.
 */
export async function seedDemo(db: Db): Promise<void> {
  if (!(await isDemo(db))) {
    const someone = await db.selectFrom('usuario').select('id').executeTakeFirst();
    if (someone) throw new Error('esta base ya tiene usuarios y no es de demostración; arranca con SANDBOX=off');
    await db.transaction().execute(async (trx) => {
      for (const { rol, nombre, apellidos } of PEOPLE) {
        await insertUsuario(trx, null, {
          usuario: rol,
          rol,
          nombre,
          apellidos,
          email: `${rol}@trastienda.test`,
          password: DEMO_PASSWORD,
        });
      }
      await trx
        .insertInto('ajuste')
        .values([
          { clave: 'demo', valor: 'true' },
          { clave: 'subir_cfdi_ml', valor: 'true' },
        ])
        .execute();
    });
    log.info('usuarios de demostración creados');
  }
  await seedCodigosPostales(db);
  if (await isUnlinked(db, 'facturacom')) await linkPac(db);
  if (await isUnlinked(db, 'mercadolibre')) await linkMarketplace(db);
  for (const side of CONNECTIONS.all())
    if (side.proveedor && (await isUnlinked(db, side.kind))) await linkProveedor(db, side);
}

/**
 * Resolves to the number of sales when the first sync has ended, or after `patience` ms; the page then fills while
 * people look.
 */
export async function waitForFirstSync(db: Db, patience: number): Promise<number> {
  for (const end = Date.now() + patience; ; await sleep(150)) {
    const run = await db
      .selectFrom('syncRun')
      .select('written')
      .where('kind', '=', 'sweep')
      .where('endedAt', 'is not', null)
      .orderBy('startedAt')
      .executeTakeFirst();
    if (run || Date.now() > end) return run?.written ?? 0;
  }
}

async function isDemo(db: Db): Promise<boolean> {
  return (await db.selectFrom('ajuste').select('clave').where('clave', '=', 'demo').executeTakeFirst()) !== undefined;
}

/** Returns whether the connection is missing or broken: without the sandbox's folder, its tokens are gone. */
async function isUnlinked(db: Db, connection: string): Promise<boolean> {
  return (await findCredential(db, connection))?.status !== 'linked';
}

async function linkPac(db: Db) {
  const answer = await fetch(`${env().SANDBOX_URL}/control/facturacom/llaves`);
  const { apiKey, secretKey } = z.object({ apiKey: z.string(), secretKey: z.string() }).parse(await answer.json());
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: null });
  log.info('factura.com de demostración vinculado');
}

async function linkProveedor(db: Db, side: FarSide) {
  const answer = await fetch(`${env().SANDBOX_URL}/control/${side.kind}/llaves`);
  if (side.kind === CERRADO_DE_DIA) await openByDay();
  await saveKeys(db, side, z.record(z.string(), z.string()).parse(await answer.json()), null);
  log.info(`${side.label} de demostración vinculado`);
}

/** Sets the sandbox's clock of hours to an evening, so that the catalogue that closes by day can be read at any hour of the demo. */
async function openByDay() {
  await fetch(`${env().SANDBOX_URL}/control/${CERRADO_DE_DIA}/horas`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hora: DE_NOCHE }),
  });
}

/** Links Mercado Libre as the owner of the account does in a browser: agrees on its page and returns with a code. */
async function linkMarketplace(db: Db) {
  const sa = await superUser(db);
  const page = new URL(await startLink(db, sa));
  page.searchParams.set('auto', '1');
  await comeBack(db, sa, await fetch(page, { redirect: 'manual' }), 'lista');
  log.info('Mercado Libre de demostración vinculado');
}

/** Links Amazon, whose page at Seller Central asks for a press of 'Confirmar'. */
export async function linkAmazon(db: Db): Promise<void> {
  if (!(await isUnlinked(db, 'amazon'))) return;
  const sa = await superUser(db);
  const page = await startOauth(db, 'amazon', sa);
  await comeBack(db, sa, await fetch(page, { method: 'POST', redirect: 'manual' }), 'amazonLista');
  log.info('Amazon de demostración vinculado');
}

const superUser = (db: Db) =>
  db.selectFrom('usuario').select('id').where('usuario', '=', 'sa').executeTakeFirstOrThrow();

/** Ends an activation at the address to which a marketplace sends its owner back. */
async function comeBack(db: Db, usuario: { id: string }, answer: Response, done: Activacion): Promise<void> {
  const back = new URL(answer.headers.get('location') ?? '', env().APP_URL);
  const ended = await finishActivacion(db, usuario, Object.fromEntries(back.searchParams));
  if (ended !== done) throw new Error(`mercado de demostración sin vincular: ${JSON.stringify(ended)}`);
}
