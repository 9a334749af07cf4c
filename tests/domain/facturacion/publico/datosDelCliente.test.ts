import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { RECEPTOR_POR_ENLACE } from '~/domain/facturacion/publico/internal/publicoReceptor.server';
import { RFC_POR_ENLACE } from '~/domain/facturacion/publico/internal/publicoRfc.server';
import { maskEmail } from '~/domain/facturacion/publico/internal/maskEmail';
import { buildEnlace, post, type Posted, visit } from '../../../support/builders/enlaces';
import { buildVenta, CLIENTES } from '../../../support/builders/ventas';
import { runUntilSettled } from '../../../support/jobs';
import { crear, datos, NUEVO, openPublico, pasoOf, working } from '../../../support/publico';

const { db, sandbox } = await openPublico();
const [MARIA] = CLIENTES;

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
