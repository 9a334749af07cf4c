import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { createEtiquetas } from '~/domain/compras/stock/etiquetas.server';
import { createEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { quietPort } from '../../../bin/lib/settings.mjs';
import { buildPiezas, buildProductoDeStock } from '../../support/builders/stock';
import { withDatabase } from './database';
import { seedOrden } from './ordenes';
import { DEMO_PASSWORD, expect } from './test';

/** Pages of links and labels, each with what it is about: a buyer's address form, a piece, a label that is still blank, and one of each that there is not. */
export async function publicasDeAlgo(): Promise<{ deCualquiera: string[]; deBodega: string[] }> {
  const { numOrden } = await seedOrden({ hours: 2, envio: { propio: true } });
  return withDatabase(async (db) => {
    const { id: usuarioId } = await db
      .selectFrom('usuario')
      .select('id')
      .where('usuario', '=', 'user')
      .executeTakeFirstOrThrow();
    const { id: producto } = await buildProductoDeStock(db);
    const [pieza] = await buildPiezas(db, usuarioId, { producto });
    const [etiqueta] = await db
      .transaction()
      .execute((trx) => createEtiquetas(trx, { clave: randomUUID(), cuantas: 1 }, usuarioId));
    const { token } = await db.transaction().execute((trx) =>
      createEnlace(trx, {
        market: 'ml',
        numOrden,
        origen: 'automatico',
        usuarioId: null,
        proposito: 'datosEnvio',
      }),
    );
    return {
      deCualquiera: [
        `/datosEnvio/${token}`,
        '/datosEnvio/no-existe',
        '/facturacion/no-existe',
        `/siqr/${pieza!.folio}`,
      ],
      deBodega: [`/siqr/${pieza!.folio}`, `/siqr/${etiqueta!.codigo}`, '/siqr/no-existe'],
    };
  });
}

/** A window of somebody whose password was just accepted, and whose code is still to be written. */
export async function waitForCodigo(context: BrowserContext): Promise<void> {
  const usuario = `dos${randomUUID().slice(0, 8)}`;
  // With the password of the demo's people.
  await withDatabase(async (db) => {
    const { nombre, apellidos, rol, passwordHash } = await db
      .selectFrom('usuario')
      .selectAll()
      .where('usuario', '=', 'aux')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('usuario')
      .values({ nombre, apellidos, rol, passwordHash, usuario, email: `${usuario}@ejemplo.mx` })
      .execute();
  });
  const { request } = context;
  const origin = new URL((await request.get('/login')).url()).origin;
  const send = (path: string, form: Record<string, string>) =>
    request.post(path, { headers: { origin }, form, maxRedirects: 0 });
  const enter = () => send('/login', { intent: 'entrar', usuario, password: DEMO_PASSWORD });
  await enter();
  await send('/aux/segundoFactor', { intent: 'empezar' });
  const html = await (await request.get('/aux/segundoFactor')).text();
  const secreto = /class="clave">([A-Z2-7 ]+)</.exec(html)![1]!.replaceAll(' ', '');
  const codigo = TOTP.generate({ secret: Secret.fromBase32(secreto) });
  await send('/aux/segundoFactor', { intent: 'confirmar', codigo });
  await context.clearCookies();
  expect((await enter()).headers().location).toContain('/login/codigo');
}

/** An installation of its own without people, while `work` looks at the page of its first person. */
export async function withoutPeople(work: (origin: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trastienda-nadie-'));
  chmodSync(dataDir, 0o755);
  const port = await quietPort();
  const product = spawn(process.execPath, ['bin/trastienda.mjs', 'start'], {
    env: {
      ...process.env,
      SANDBOX: 'off',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      APP_URL: '',
      ARRANCADO_POR: [process.env.ARRANCADO_POR, process.pid].filter(Boolean).join(','),
    },
    stdio: 'ignore',
  });
  const ended = new Promise((done) => product.once('exit', done));
  const origin = `http://127.0.0.1:${port}`;
  const isOffered = () =>
    fetch(`${origin}/login/primera`, { redirect: 'manual' }).then(
      ({ status }) => status,
      () => 0,
    );
  try {
    await expect.poll(isOffered, { timeout: 120_000 }).toBe(200);
    await work(origin);
  } finally {
    product.kill('SIGTERM');
    await ended;
  }
}
