import { listSinTimbrar } from '~/domain/publico/sinTimbrar.server';
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Usuario } from '~/domain/cuentas/usuario';
import { createFactura } from '~/domain/emision/createFactura.server';
import { openDraft } from '~/domain/emision/draft.server';
import { readDraft } from '~/domain/emision/draftView.server';
import { linkFacturacom } from '~/domain/cfdi/emisor.server';
import { findEnlace, revokeEnlace } from '~/domain/enlaces/enlaces.server';
import { maskEmail } from '~/domain/receptores/correoMascara';
import { RECEPTOR_POR_ENLACE } from '~/domain/publico/publicoReceptor.server';
import { RFC_POR_ENLACE } from '~/domain/publico/publicoRfc.server';
import { loader as download } from '~/routes/public/facturacionArchivo';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { buildFactura } from '../../support/builders/facturas';
import { buildEnlace, post, visit, type Posted } from '../../support/builders/enlaces';
import {
  buildBorrador,
  buildClientes,
  buildPersona,
  buildVenta,
  CLIENTES,
  REVISION,
} from '../../support/builders/ventas';
import { testDatabase } from '../../support/db';
import { runJobs, runUntilSettled } from '../../support/jobs';
import { statementsDuring } from '../../support/statements';
import { startTestSandbox } from '../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox();
const { db } = testDatabase();
const LONG = process.env.FAULTS === 'long';
let ana: Usuario;

const [MARIA] = CLIENTES;
/** A taxpayer the PAC knows of and our records do not. */
const NUEVO = { rfc: 'LOGM790203R55', razonSocial: 'MARTHA LOPEZ GUERRERO', cp: '03100', regimen: '612' };

beforeAll(async () => {
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  ana = await buildPersona(db);
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: ana.id });
  await buildClientes(db);
  await sandbox.facturacom.addContribuyente({
    rfc: NUEVO.rfc,
    nombre: NUEVO.razonSocial,
    cp: NUEVO.cp,
    regimenes: [NUEVO.regimen],
  });
  await runUntilSettled();
});
beforeEach(() => sql`delete from rate_limit`.execute(db));

/** The request waits for the worker, so the worker runs meanwhile. */
async function working(sent: Promise<Posted>): Promise<Posted> {
  let over = false;
  const jobs = (async () => {
    while (!over) {
      await runJobs();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  try {
    return await sent;
  } finally {
    over = true;
    await jobs;
  }
}

const datos = (over: Record<string, string> = {}) => ({
  intent: 'guardar',
  ...NUEVO,
  email: 'martha@correo.test',
  ...over,
});
const crear = { intent: 'crear', confirmado: '1', usoCfdi: 'G03' };
const pasoOf = async (token: string, paso?: string) => {
  const { pagina } = await visit(token, paso);
  if (pagina?.vista.tipo !== 'paso') throw new Error(`not a step: ${JSON.stringify(pagina)}`);
  return pagina.vista;
};

test('from the link to the stamped invoice, with data nobody had: no stored record is made or changed', async () => {
  const venta = await buildVenta(db, { precios: ['348.00'] });
  const { token } = await buildEnlace(db, venta);
  const records = await db.selectFrom('clienteFiscal').selectAll().orderBy('id').execute();

  expect((await pasoOf(token)).cliente).toMatchObject({ modo: 'nuevo', rfc: '', registrado: null });
  expect(await post(token, { intent: 'buscarRfc', rfc: NUEVO.rfc.toLowerCase() })).toMatchObject({ status: 302 });
  expect((await pasoOf(token)).cliente).toMatchObject({ modo: 'nuevo', rfc: NUEVO.rfc, razonSocial: '', opciones: [] });
  expect((await pasoOf(token, '2')).paso).toBe('1');

  expect(await working(post(token, datos({ razonSocial: 'Martha López  Guerrero'.replace('ó', 'o') })))).toMatchObject({
    status: 302,
  });
  expect(await pasoOf(token)).toMatchObject({
    siguiente: true,
    cliente: { modo: 'lectura', razonSocial: NUEVO.razonSocial, email: 'martha@correo.test' },
  });
  expect((await pasoOf(token, '2')).revision).toMatchObject({ totales: { total: '348.00' }, usoCfdi: 'G03' });

  expect(await post(token, { ...crear, confirmado: '' })).toMatchObject({ confirmar: { titulo: 'Facturación' } });
  // What else is sent is not read: prices, date and payment method are the sale's.
  expect(
    await post(token, { ...crear, formaPago: '01', fecha: '2020-01-01', 'articulos[0].precioUnitario': '1.00' }),
  ).toMatchObject({ status: 302 });
  await runUntilSettled();

  const factura = await db
    .selectFrom('factura')
    .selectAll()
    .where('numOrden', '=', venta.numOrden)
    .executeTakeFirstOrThrow();
  expect(factura).toMatchObject({
    rfc: NUEVO.rfc,
    razonSocial: NUEVO.razonSocial,
    formaPago: '04',
    usuarioId: null,
    clienteFiscalId: null,
    emails: ['martha@correo.test'],
  });
  expect(String(factura.total)).toBe('348.00');
  expect(await visit(token)).toMatchObject({
    pagina: { vista: { tipo: 'resultado', estado: { tipo: 'lista', folio: `${factura.serie}-${factura.folio}` } } },
  });
  expect((await fetchFile(token, 'xml')).headers.get('Content-Type')).toBe('application/xml');
  expect((await fetchFile(token, 'pdf')).headers.get('Content-Type')).toBe('application/pdf');
  expect(await db.selectFrom('clienteFiscal').selectAll().orderBy('id').execute()).toEqual(records);

  // Pressing again leads to the same one.
  expect(await post(token, crear)).toMatchObject({ status: 302 });
  await runUntilSettled();
  expect(await sandbox.facturacom.stamped(venta.numOrden)).toHaveLength(1);
});

test('who presses while the own look-up is still under way is not told that somebody changed it', async () => {
  const { token } = await buildEnlace(db, await buildVenta(db));
  const antes = { version: '0' };
  expect(await post(token, { ...antes, intent: 'buscarRfc', rfc: NUEVO.rfc })).toMatchObject({ status: 302 });
  expect(await post(token, { ...antes, ...datos({ ...MARIA }) })).toMatchObject({
    status: 422,
    choque: { cambios: [{ campo: 'Datos de Facturación' }] },
  });
  expect(await working(post(token, { ...antes, ...datos() }))).toMatchObject({ status: 302 });
  expect((await pasoOf(token)).cliente).toMatchObject({ rfc: NUEVO.rfc, modo: 'lectura' });
});

test('a known customer is found with the e-mail masked, and what they change stays with their sale', async () => {
  const stored = await db
    .selectFrom('clienteFiscal')
    .selectAll()
    .where('rfc', '=', MARIA.rfc)
    .executeTakeFirstOrThrow();
  const venta = await buildVenta(db);
  const { token } = await buildEnlace(db, venta);
  await post(token, { intent: 'buscarRfc', rfc: MARIA.rfc });
  const vista = await pasoOf(token);
  expect(vista.cliente).toEqual({
    modo: 'lectura',
    rfc: MARIA.rfc,
    razonSocial: MARIA.razonSocial,
    cp: MARIA.cp,
    regimen: MARIA.regimen,
    email: '',
    email2: '',
    opciones: [],
    encontrado: true,
    registrado: maskEmail(stored.emails[0]!),
  });
  expect(JSON.stringify(vista)).not.toContain(stored.emails[0]);
  expect(JSON.stringify(vista)).not.toContain(stored.uid);

  // She says another regime, which she also has, and keeps the address on record without reading it.
  await sandbox.facturacom.addContribuyente({
    rfc: MARIA.rfc,
    nombre: MARIA.razonSocial,
    cp: MARIA.cp,
    regimenes: [MARIA.regimen, '605'],
  });
  await post(token, { intent: 'editar' });
  expect(
    await working(post(token, { intent: 'guardar', ...MARIA, regimen: '605', usarRegistrado: 'on' })),
  ).toMatchObject({ status: 302 });
  expect(await pasoOf(token)).toMatchObject({
    siguiente: true,
    cliente: { modo: 'lectura', regimen: '605', email: '', registrado: maskEmail(stored.emails[0]!) },
  });
  await post(token, { ...crear, usoCfdi: 'S01' });
  await runUntilSettled();
  const factura = await db
    .selectFrom('factura')
    .selectAll()
    .where('numOrden', '=', venta.numOrden)
    .executeTakeFirstOrThrow();
  expect(factura).toMatchObject({ regimen: '605', emails: stored.emails });
  expect(await db.selectFrom('clienteFiscal').selectAll().where('rfc', '=', MARIA.rfc).execute()).toEqual([stored]);

  // The next customer with that RFC is offered the record, and nothing of what she typed.
  const other = await buildEnlace(db, await buildVenta(db));
  await post(other.token, { intent: 'buscarRfc', rfc: MARIA.rfc });
  expect((await pasoOf(other.token)).cliente).toMatchObject({ regimen: MARIA.regimen, opciones: [] });
});

test('several legal names of an RFC are offered by place, and another one may be typed', async () => {
  const [first] = await db.selectFrom('clienteFiscal').select(['id']).where('rfc', '=', CLIENTES[2].rfc).execute();
  await db
    .insertInto('clienteFiscal')
    .values({
      rfc: CLIENTES[2].rfc,
      razonSocial: 'SOFIA NUÑEZ',
      cp: '44110',
      regimen: '612',
      emails: ['otra@correo.test'],
      uid: 'uid-de-otra',
    })
    .execute();
  const { token } = await buildEnlace(db, await buildVenta(db));
  await post(token, { intent: 'buscarRfc', rfc: CLIENTES[2].rfc });
  const { cliente } = await pasoOf(token);
  expect(cliente).toMatchObject({ modo: 'nuevo', razonSocial: '' });
  expect(cliente.opciones.map(({ razonSocial }) => razonSocial).sort()).toEqual([
    'SOFIA NUÑEZ',
    CLIENTES[2].razonSocial,
  ]);
  const at = cliente.opciones.findIndex(({ razonSocial }) => razonSocial === 'SOFIA NUÑEZ');
  expect(await post(token, { intent: 'elegir', razon: String(at) })).toMatchObject({ status: 302 });
  expect((await pasoOf(token)).cliente).toMatchObject({
    modo: 'lectura',
    razonSocial: 'SOFIA NUÑEZ',
    registrado: 'o•••@c•••.test',
  });
  expect(await post(token, { intent: 'elegir', razon: 'otra' })).toMatchObject({ status: 302 });
  expect((await pasoOf(token)).cliente).toMatchObject({
    modo: 'nuevo',
    rfc: CLIENTES[2].rfc,
    razonSocial: '',
    opciones: [],
  });
  expect((await post(token, { intent: 'elegir', razon: first!.id })).error['']?.[0]).toMatch(/ya no está en la lista/);
  await db.deleteFrom('clienteFiscal').where('uid', '=', 'uid-de-otra').execute();
});

test('the sixth RFC of a link and the twenty-first of an address in a day are refused with a plain sentence', async () => {
  const rfcs = Array.from(
    { length: 30 },
    (_, at) => `ROMA${String(80 + (at % 19))}0101A${String.fromCharCode(65 + (at % 26))}${at % 10}`,
  );
  const { token } = await buildEnlace(db, await buildVenta(db));
  for (const rfc of rfcs.slice(0, RFC_POR_ENLACE))
    expect(await post(token, { intent: 'buscarRfc', rfc })).toMatchObject({ status: 302 });
  expect(await post(token, { intent: 'buscarRfc', rfc: rfcs[0]! })).toMatchObject({ status: 302 });
  const sixth = await post(token, { intent: 'buscarRfc', rfc: rfcs[5]! });
  expect(sixth).toMatchObject({ status: 429, titulo: 'Aviso' });
  // Room comes with another link: until then, the life of this one.
  expect(Math.abs(sixth.retryAfter! - 30 * 86_400)).toBeLessThan(60);
  // What the link used up is looking: whoever knows their data writes them.
  expect(await working(post(token, datos()))).toMatchObject({ status: 302 });
  expect((await pasoOf(token)).cliente).toMatchObject({ rfc: NUEVO.rfc, modo: 'lectura' });

  let taken = RFC_POR_ENLACE;
  let refused: Posted | undefined;
  while (taken < 25 && !refused) {
    const other = await buildEnlace(db, await buildVenta(db));
    for (let n = 0; n < 4 && !refused; n++, taken++) {
      const answer = await post(other.token, { intent: 'buscarRfc', rfc: rfcs[taken]! });
      if (answer.status !== 302) refused = answer;
    }
  }
  expect(taken).toBe(20 + 1);
  expect(refused).toMatchObject({ status: 429 });
  expect(refused!.error).toEqual(sixth.error);
  expect(refused!.retryAfter).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 86_400);
  const elsewhere = await buildEnlace(db, await buildVenta(db));
  expect(await post(elsewhere.token, { intent: 'buscarRfc', rfc: rfcs[29]! }, '10.9.9.9')).toMatchObject({
    status: 302,
  });
});

test('a catalogue nobody could read changes nothing for a customer', async () => {
  const { token } = await buildEnlace(db, await buildVenta(db));
  await post(token, { intent: 'buscarRfc', rfc: MARIA.rfc });
  const before = await visit(token, '2');
  await db.deleteFrom('satClave').execute();
  await sql`insert into sat_catalogo (catalogo, error, leido_en) values ('usos', 'no contesta', now() - interval '2 years'), ('regimenes', 'no contesta', null)
    on conflict (catalogo) do update set error = excluded.error, leido_en = excluded.leido_en`.execute(db);
  expect(await visit(token, '2')).toEqual(before);
  expect(await post(token, crear)).toMatchObject({ status: 302 });
  await runUntilSettled();
});

test(
  'a link makes so many receivers at the PAC in an hour and no more, and what is known already costs none',
  { timeout: 60_000 },
  async () => {
    const { token } = await buildEnlace(db, await buildVenta(db));
    const guardar = (at: number) =>
      working(
        post(
          token,
          datos({ rfc: 'ROMA800101AB1', razonSocial: 'MARIO ROJAS', cp: String(10_000 + at), regimen: '612' }),
        ),
      );
    for (let at = 0; at < RECEPTOR_POR_ENLACE.hits; at++) expect(await guardar(at)).toMatchObject({ status: 302 });
    const made = () => db.selectFrom('clientePublico').select('uid').where('rfc', '=', 'ROMA800101AB1').execute();
    expect(await made()).toHaveLength(RECEPTOR_POR_ENLACE.hits);
    const refused = await guardar(99);
    expect(refused).toMatchObject({ status: 429, titulo: 'Aviso' });
    expect(refused.error['']?.[0]).toMatch(
      /^Guardaste datos distintos muchas veces seguidas desde este enlace o esta conexión\. Espera una hora/,
    );
    expect(refused.retryAfter).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 3_600);
    expect(await guardar(3)).toMatchObject({ status: 302 });
    expect(await made()).toHaveLength(RECEPTOR_POR_ENLACE.hits);
  },
);

test('two presses of one button while the PAC is away count one receiver', { timeout: 30_000 }, async () => {
  const { token } = await buildEnlace(db, await buildVenta(db));
  const guardar = () => post(token, datos({ rfc: 'ROMA800101AB2', razonSocial: 'MARIANA ROJAS' }));
  const first = guardar();
  await expect.poll(() => db.selectFrom('effect').select('id').where('state', '=', 'queued').execute()).toHaveLength(1);
  expect((await Promise.all([first, guardar()])).map(({ status }) => status)).toEqual([302, 302]);
  expect(await db.selectFrom('rateLimit').select('hits').where('hits', '>', 1).execute()).toEqual([]);
  await runUntilSettled();
});

test('generic RFCs and malformed data do not pass', async () => {
  const { token } = await buildEnlace(db, await buildVenta(db));
  for (const rfc of ['XAXX010101000', 'XEXX010101000']) {
    expect((await post(token, { intent: 'buscarRfc', rfc })).error.rfc?.[0]).toMatch(/genérico/);
    expect((await post(token, datos({ rfc, regimen: '616' }))).error.rfc?.[0]).toMatch(/genérico/);
  }
  expect((await post(token, { intent: 'buscarRfc', rfc: 'NO' })).error.rfc).toEqual(['RFC No Valido']);
  expect((await post(token, datos({ cp: '123', email: 'no' }))).error).toEqual({
    cp: ['Código Postal No Valido'],
    email: ['Email No Valido'],
  });
  expect((await post(token, datos({ email: '' }))).error).toEqual({ email: ['Este dato es requerido'] });
  // Nobody may keep an address they were never shown.
  expect((await post(token, datos({ email: '', usarRegistrado: 'on' }))).error.email?.[0]).toMatch(/correo/);
});

test('wrong, ended, withdrawn and foreign links are one and the same, for the page, its forms and its files', async () => {
  const venta = await buildVenta(db);
  const [ended, withdrawn] = [await buildEnlace(db, venta), await buildEnlace(db, venta)];
  const foreign = await buildEnlace(db, venta, { proposito: 'datosEnvio' });
  await sql`update enlace set vence_en = now() - interval '1 second' where id = ${ended.id}`.execute(db);
  await revokeEnlace(db, withdrawn.id, ana.id);
  const tokens = [
    randomBytes(32).toString('base64url'),
    ended.token,
    withdrawn.token,
    foreign.token,
    'x',
    `${ended.token}A`,
    '../..',
    'ñ'.repeat(5_000),
  ];
  const answers = await Promise.all(
    tokens.map(async (token) => {
      const file = await fetchFile(token, 'xml').catch((thrown: unknown) => thrown as Response);
      const sent = await post(token, datos());
      return {
        page: await visit(token),
        sent: { ...sent, to: sent.to === new URL(`http://x/facturacion/${token}`).pathname },
        file: [file.status, await file.text()],
      };
    }),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({
    page: { status: 404, pagina: null },
    sent: { status: 302, to: true },
    file: [404, 'No existe.'],
  });
  expect(await db.selectFrom('facturaDraft').select('id').where('numOrden', '=', venta.numOrden).execute()).toEqual([]);
});

test('a dead link costs one and the same look, whatever is wrong with it', async () => {
  const venta = await buildVenta(db);
  const [ended, withdrawn, foreign, living] = [
    await buildEnlace(db, venta),
    await buildEnlace(db, venta),
    await buildEnlace(db, venta, { proposito: 'datosEnvio' }),
    await buildEnlace(db, venta),
  ];
  await sql`update enlace set vence_en = now() - interval '1 second' where id = ${ended.id}`.execute(db);
  await revokeEnlace(db, withdrawn.id, ana.id);
  const asked = (token: string) =>
    statementsDuring(async () => {
      await visit(token);
      await post(token, { intent: 'buscarRfc', rfc: NUEVO.rfc, version: '0' });
      await fetchFile(token, 'pdf').catch(() => undefined);
    });
  const never = await asked(randomBytes(32).toString('base64url'));
  expect(never).toHaveLength(3);
  expect(new Set(never).size).toBe(1);
  for (const { token } of [ended, withdrawn, foreign]) expect(await asked(token)).toEqual(never);
  expect((await asked(living.token)).length).toBeGreaterThan(3);
});

test(`${LONG ? '1,000,000' : '25,000'} random tokens open nothing`, { timeout: 900_000 }, async () => {
  await buildEnlace(db, await buildVenta(db));
  const draw = (n: number) => Array.from({ length: n }, () => randomBytes(32).toString('base64url'));
  const [asked, compared] = LONG ? [100_000, 900_000] : [5_000, 20_000];
  let hits = 0;
  // Through the door itself, one by one.
  for (let done = 0; done < asked; done += 250)
    hits += (await Promise.all(draw(250).map((token) => findEnlace(db, token)))).filter(Boolean).length;
  // And by thousands against what is kept of the living ones.
  for (let done = 0; done < compared; done += 5_000) {
    const hashes = draw(5_000).map((token) => createHash('sha256').update(token).digest());
    hits += (await sql`select from enlace where token_hash = any(${hashes}::bytea[])`.execute(db)).rows.length;
  }
  expect(hits).toBe(0);
});

test('a customer and a member of staff press at once: one CFDI, and the link tells its folio', async () => {
  for (let at = 0; at < (LONG ? 50 : 8); at++) {
    const venta = await buildVenta(db, { precios: at % 2 ? ['99.90', '17.01'] : ['116.00'] });
    const { token } = await buildEnlace(db, venta);
    await post(token, { intent: 'buscarRfc', rfc: MARIA.rfc }, `10.1.0.${at}`);
    const draft = await buildBorrador(db, venta, ana);
    const staff = () =>
      db
        .transaction()
        .execute((trx) =>
          createFactura(trx, draft, {
            revision: REVISION(),
            diferenciaAceptada: false,
            usuarioId: ana.id,
            now: new Date(),
          }),
        )
        .then(
          () => true,
          () => false,
        );
    const [customer, member] = await Promise.all([post(token, crear, `10.1.0.${at}`), staff()]);
    expect([customer.status === 302, member].filter(Boolean)).toHaveLength(1);
    await runUntilSettled();
    const stamped = await sandbox.facturacom.stamped(venta.numOrden);
    expect(stamped).toHaveLength(1);
    const folio = `${stamped[0]!.serie}-${stamped[0]!.folio}`;
    const { pagina } = await visit(token);
    expect(JSON.stringify(pagina!.vista)).toContain(folio);
    // Only who made it through this link may download it.
    const file = await fetchFile(token, 'xml').catch((thrown: unknown) => thrown as Response);
    expect(file.status).toBe(customer.status === 302 ? 200 : 404);
  }
});

test('while a customer invoices, staff and other links read who is doing it and what comes next', async () => {
  const venta = await buildVenta(db);
  const persona = await buildPersona(db, 'user');
  const opened = await buildBorrador(db, venta, persona);
  const [{ token }, other] = [await buildEnlace(db, venta), await buildEnlace(db, venta, { origen: 'portada' })];
  await post(token, { intent: 'buscarRfc', rfc: MARIA.rfc });
  expect(await post(token, crear)).toMatchObject({ status: 302 });

  const enCurso =
    /^El cliente ya pidió la factura de esta orden desde su enlace y se está timbrando\. Búscala otra vez/;
  for (const { id } of [persona, ana]) await expect(openDraft(db, venta.numOrden, id)).rejects.toThrow(enCurso);
  expect((await readDraft(db, opened.id, persona, '1')).avisos).toEqual([
    { titulo: 'La factura de esta orden está en curso', texto: expect.stringMatching(enCurso) as string },
  ]);
  expect((await visit(other.token)).pagina?.vista).toMatchObject({
    tipo: 'ajena',
    situacion: 'enProceso',
    texto: expect.stringContaining('no hace falta pedirla otra vez') as string,
  });

  const { effectId } = await db
    .selectFrom('fiscalClaim')
    .select('effectId')
    .where('ordenId', '=', venta.ordenIds[0]!)
    .executeTakeFirstOrThrow();
  await db.updateTable('effect').set({ state: 'manual' }).where('id', '=', effectId).execute();
  await expect(openDraft(db, venta.numOrden, persona.id)).rejects.toThrow('espera una decisión en Pendientes');
  expect((await visit(other.token)).pagina?.vista).toMatchObject({ tipo: 'ajena', situacion: 'enRevision' });

  await db.updateTable('effect').set({ state: 'queued' }).where('id', '=', effectId).execute();
  await runUntilSettled();
  const { serie, folio } = await db
    .selectFrom('factura')
    .select(['serie', 'folio'])
    .where('effectId', '=', effectId)
    .executeTakeFirstOrThrow();
  expect((await readDraft(db, opened.id, persona, '1')).avisos).toEqual([
    {
      titulo: 'Esta orden ya tiene factura',
      texto: `La orden ya está facturada con el folio ${serie}-${folio}. Está en Facturas de clientes, donde se descarga, se reenvía o se sustituye.`,
    },
  ]);
});

test('another member of staff is named, and only sa and admin look at what is not theirs', async () => {
  const venta = await buildVenta(db);
  const [uno, otro, admin] = [
    await buildPersona(db, 'user'),
    await buildPersona(db, 'user'),
    await buildPersona(db, 'admin'),
  ];
  const draft = await buildBorrador(db, venta, uno);
  await db.transaction().execute((trx) =>
    createFactura(trx, draft, {
      revision: REVISION(),
      diferenciaAceptada: false,
      usuarioId: uno.id,
      now: new Date(),
    }),
  );
  for (const { id } of [uno, admin]) expect(await openDraft(db, venta.numOrden, id)).toBe(draft.id);
  await expect(openDraft(db, venta.numOrden, otro.id)).rejects.toThrow(
    `${uno.nombre} ${uno.apellidos} ya pidió la factura de esta orden`,
  );
  await runUntilSettled();
});

test('a sale in the stamped global of its month still gets its own CFDI, and is owed a credit note', async () => {
  const venta = await buildVenta(db);
  const global = await buildFactura(db, {
    tipo: 'global',
    serie: 'G',
    numOrden: null,
    rfc: 'XAXX010101000',
    razonSocial: 'PUBLICO EN GENERAL',
  });
  await db
    .insertInto('fiscalClaim')
    .values({ ordenId: venta.ordenIds[0]!, kind: 'global', effectId: global.effectId, facturaId: global.id })
    .execute();
  // Staff who capture it read what that means before they do.
  const { avisos } = await readDraft(db, await openDraft(db, venta.numOrden, ana.id), ana, '1');
  expect(avisos).toEqual([
    {
      titulo: 'Esta orden está en una factura global',
      texto: expect.stringContaining(`La venta está en la factura global G-${global.folio}`) as string,
    },
  ]);
  expect(avisos[0]!.texto).toContain('«Refacturacion»');
  const { token } = await buildEnlace(db, venta);
  await post(token, { intent: 'buscarRfc', rfc: MARIA.rfc });
  expect(await post(token, crear)).toMatchObject({ status: 302 });
  await runUntilSettled();
  const { pagina } = await visit(token);
  expect(pagina?.vista).toMatchObject({ tipo: 'resultado', estado: { tipo: 'lista' } });
  const factura = await db
    .selectFrom('factura')
    .select('id')
    .where('numOrden', '=', venta.numOrden)
    .executeTakeFirstOrThrow();
  expect(
    await db
      .selectFrom('refacturacion')
      .select(['ordenId', 'globalId', 'facturaId'])
      .where('ordenId', '=', venta.ordenIds[0]!)
      .execute(),
  ).toEqual([{ ordenId: venta.ordenIds[0], globalId: global.id, facturaId: factura.id }]);
});

test('a sale that was cancelled, returned or is sold by Mercado Libre says so in the words of the spec', async () => {
  const cases = [
    [{ clase: 'cancelada' }, 'La orden de la factura fue cancelada y no se puede facturar.'],
    [{ clase: 'devuelta' }, 'La orden fue devuelta y no se puede facturar.'],
    [{ meliResale: true }, 'Mercado Libre le factura esta venta al cliente; no se puede facturar aquí.'],
  ] as const;
  for (const [change, texto] of cases) {
    const venta = await buildVenta(db);
    const { token } = await buildEnlace(db, venta);
    await db.updateTable('orden').set(change).where('numOrden', '=', venta.numOrden).execute();
    expect((await visit(token)).pagina?.vista).toEqual({ tipo: 'aviso', texto });
    expect(await post(token, datos())).toMatchObject({ status: 422 });
  }
});

test('what the PAC refuses can be corrected, and nothing was stamped meanwhile', async () => {
  const venta = await buildVenta(db);
  const { token } = await buildEnlace(db, venta);
  expect(await working(post(token, datos({ razonSocial: 'MARTHA LOPEZ' })))).toMatchObject({ status: 302 });
  await post(token, crear);
  await runUntilSettled();
  const { pagina } = await visit(token);
  expect(pagina?.vista).toMatchObject({ tipo: 'resultado', estado: { tipo: 'rechazada', paso: '1' } });
  expect(await post(token, { intent: 'corregir', paso: '1' })).toMatchObject({ status: 302 });
  await post(token, { intent: 'editar' });
  expect(await working(post(token, datos()))).toMatchObject({ status: 302 });
  await post(token, crear);
  await runUntilSettled();
  expect(await sandbox.facturacom.stamped(venta.numOrden)).toHaveLength(1);
});

test.each(['402', '304', 'CFDI40162'])(
  'a fault of the company (%s) is not told to the customer: they read that it is seen to, and staff find it on the board',
  async (code) => {
    const venta = await buildVenta(db);
    const { token } = await buildEnlace(db, venta);
    await post(token, { intent: 'buscarRfc', rfc: CLIENTES[1].rfc });
    await sandbox.facturacom.failNext('refuse', { code, message: 'Lo que solo importa a la empresa' });
    await post(token, crear);
    await runUntilSettled();
    const { pagina } = await visit(token);
    expect(pagina?.vista).toMatchObject({
      estado: {
        tipo: 'rechazada',
        texto: expect.stringMatching(/^En este momento no podemos/),
        detalle: null,
        paso: null,
      },
    });
    expect(JSON.stringify(pagina)).not.toContain('Lo que solo importa a la empresa');
    expect(await listSinTimbrar(db)).toContainEqual(
      expect.objectContaining({
        numOrden: venta.numOrden,
        motivo: expect.stringContaining('Lo que solo importa a la empresa'),
      }),
    );
  },
);

test('a company without keys is told to nobody outside', async () => {
  const { token } = await buildEnlace(db, await buildVenta(db));
  await post(token, { intent: 'buscarRfc', rfc: CLIENTES[1].rfc });
  const emisor = await db.selectFrom('ajuste').selectAll().where('clave', '=', 'emisor').executeTakeFirstOrThrow();
  await db.deleteFrom('ajuste').where('clave', '=', 'emisor').execute();
  const said = (await post(token, crear)).error['']?.[0];
  await db
    .insertInto('ajuste')
    .values({ ...emisor, valor: JSON.stringify(emisor.valor) })
    .execute();
  expect(said).toMatch(/^En este momento no podemos/);
});

test('a record that staff correct while the customer reviews is not stamped unseen', async () => {
  const { token } = await buildEnlace(db, await buildVenta(db));
  await post(token, { intent: 'buscarRfc', rfc: CLIENTES[1].rfc });
  await db.updateTable('clienteFiscal').set({ cp: '11001' }).where('rfc', '=', CLIENTES[1].rfc).execute();
  expect((await post(token, crear)).error['']?.[0]).toMatch(/datos registrados cambiaron/);
  await db.updateTable('clienteFiscal').set({ cp: CLIENTES[1].cp }).where('rfc', '=', CLIENTES[1].rfc).execute();
});

function fetchFile(token: string, formato: string): Promise<Response> {
  return download({
    request: new Request(`http://trastienda.test/facturacion/x/${formato}`),
    params: { token, formato },
    context: {},
  } as unknown as LoaderFunctionArgs);
}
