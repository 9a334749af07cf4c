/** The machine is lost and another one takes its place: what a backup takes, what a death loses, and how soon people work again. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createUsuario } from '~/domain/personal/usuarios.server';
import { connectPacReader, linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { markRestaurada, reconcilePac } from '~/domain/operacion/mantenimiento/restauracion.server';
import { openDatabase, type Db } from '~db/client.server';
import { startEmbedded, stopEmbedded } from '~db/embedded';
import { migrateDatabase } from '~db/migrate';
import { applicationUrlOf } from '~db/rights';
import { backUp, readManifest, restore } from '~db/respaldo';
import { ANIO, historyOf, seedYear } from './data';
import { rounded, type Figure } from './figures';
import { PERSON, signIn, type Place } from './place';

const CLAVE = 'una frase que sella las llaves';
/** Time between two writes of the shop, and how long after the last archived WAL the machine dies: the worst moment is two minutes. */
const WRITE_MS = 200;
const DEATH_S = 115;

export async function benchRestauracion(place: Place): Promise<Figure[]> {
  const sandbox = await place.sandbox();
  const [origen, respaldos, otra] = ['origen', 'respaldos', 'otra'].map((name) => join(place.folder, name)) as [
    string,
    string,
    string,
  ];
  const wal = join(respaldos, 'wal');
  for (const folder of [origen, otra]) place.atEnd(() => stopEmbedded(folder));

  // Years are made in minutes and not in years: what they write is not archived.
  const maker = await startEmbedded({ folder: origen });
  await migrateDatabase(await maker.ensureDatabase('tienda'));
  const owner = openDatabase(maker.urlOf('tienda'), { max: 2, statementTimeoutMs: 1_800_000 });
  await seedYear(owner.db, place.years === 1 ? ANIO : historyOf(place.years));
  await owner.close();
  await maker.stop();

  const server = await startEmbedded({ folder: origen, archive: wal });
  const tienda = openDatabase(applicationUrlOf(server.urlOf('tienda'))!, { max: 4 });
  const { db } = tienda;
  const usuarioId = await db.transaction().execute(async (trx) => {
    const { id } = await createUsuario(trx, null, {
      ...PERSON,
      rol: 'sa',
      nombre: 'Quien',
      apellidos: 'Mide',
      email: 'bench@trastienda.test',
    });
    return id;
  });
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId });
  const before = await countsOf(db);

  const writing = keepWriting(db);
  const backingUp = performance.now();
  const base = await backUp({
    target: respaldos,
    dataDir: server.dataDir,
    url: server.urlOf('postgres'),
    secrets: {
      LLAVES: process.env.LLAVES!,
      POSTGRES_CLAVE: readFileSync(join(origen, 'postgres.clave'), 'utf8').trim(),
    },
    passphrase: CLAVE,
  });
  const backupS = (performance.now() - backingUp) / 1000;
  await archived(server.urlOf('postgres'));
  await sleep(DEATH_S * 1_000);
  const last = await writing.stop();
  await tienda.close();
  process.kill(server.pid, 'SIGQUIT');
  await server.exited;
  rmSync(origen, { recursive: true, force: true });

  const began = performance.now();
  const lap = () => (performance.now() - began) / 1000;
  const restored = await restore({ base, wal, folder: otra, passphrase: CLAVE });
  const restoredS = lap();
  const url = applicationUrlOf(restored.server.urlOf('tienda'))!;
  await migrateDatabase(restored.server.urlOf('tienda'));
  const after = openDatabase(url, { max: 4 });
  try {
    await markRestaurada(after.db, EFFECTS, { nombre: 'medición', sabeHasta: restored.knowsUntil });
    await reconcilePac(after.db, await connectPacReader(after.db, { timeoutMs: 60_000 }));
    const reconciledS = lap();
    const page = await place.webOver(url);
    const cookie = await signIn(page);
    const list = await fetch(`${page}/sa/ordenes`, { headers: { cookie } });
    const text = await list.text();
    if (list.status !== 200 || !text.includes('<tr')) throw new Error(`the list of sales answered ${list.status}`);
    const workingS = lap();
    const now = await countsOf(after.db);
    if (JSON.stringify(now) !== JSON.stringify(before))
      throw new Error(`${JSON.stringify(before)} became ${JSON.stringify(now)}`);
    const { rows } = await sql<{ en: Date }>`select max(en) as en from muestra where proceso = ${WRITER}`.execute(
      after.db,
    );
    const sales = `${before.ventas!.toLocaleString('en')} sales`;
    return [
      {
        name: `backup of ${sales}, while somebody writes`,
        value: rounded(backupS),
        unit: 's',
        note: `${Math.round(readManifest(base).bytes / 1e6).toLocaleString('en')} MB`,
      },
      {
        name: 'lost with the machine',
        value: rounded((last.getTime() - rows[0]!.en.getTime()) / 1000),
        unit: 's',
        aim: 120,
        note: `it died ${DEATH_S} s after the last archived WAL`,
      },
      {
        name: `${sales}: from nothing to a list of sales that people see`,
        value: rounded(workingS),
        unit: 's',
        aim: 1_800,
        note: `files and WAL ${rounded(restoredS)} s, reconciled with the PAC after ${rounded(reconciledS)} s; every sale, shipment and factura is there`,
      },
    ];
  } finally {
    await after.close();
  }
}

/** Waits for the next piece of WAL that reaches the archive. */
async function archived(url: string): Promise<void> {
  const { db, close } = openDatabase(url, { max: 1 });
  const count = async () =>
    Number((await sql<{ n: string }>`select archived_count::text as n from pg_stat_archiver`.execute(db)).rows[0]!.n);
  try {
    const first = await count();
    for (const end = Date.now() + 300_000; (await count()) === first; await sleep(250))
      if (Date.now() > end) throw new Error('no WAL was archived');
  } finally {
    await close();
  }
}

const WRITER = 'bench';

/** Writes a row of its own again and again, as a shop does something all the time. `stop` returns when the last one was kept. */
function keepWriting(db: Db): { stop(): Promise<Date> } {
  let stopping = false;
  let last = new Date(0);
  const writing = (async () => {
    while (!stopping) {
      const { rows } = await sql<{ en: Date }>`
        insert into muestra (en, proceso, datos) values (clock_timestamp(), ${WRITER}, '{}') returning en`.execute(db);
      last = rows[0]!.en;
      await sleep(WRITE_MS);
    }
  })();
  return {
    async stop() {
      stopping = true;
      await writing;
      return last;
    },
  };
}

async function countsOf(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from orden)::float8 as ventas, (select count(*) from envio)::float8 as envios,
      (select count(*) from factura)::float8 as facturas, (select sum(total) from factura)::float8 as facturado`.execute(
    db,
  );
  return rows[0]!;
}
