import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { inflateSync } from 'node:zlib';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, expect, test } from 'vitest';
import { addDays, civilDay } from '~/core/time';
import type { Usuario } from '~/core/usuario';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { effectView } from '~/platform/effects/effects.server';
import { readPdf } from '~/platform/files/readFile.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { articuloVacio, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import { createNota, resendNotaMail } from '~/domain/facturacion/notaSencilla/createNota.server';
import { notasList, readNota, readNotaFile } from '~/domain/facturacion/notaSencilla/listNotas.server';
import {
  lookUpCpOfNota,
  openNotaDraft,
  readNotaDraft,
  requireNotaDraft,
  saveDatosNota,
  saveNotaDraft,
  unfinishedNota,
} from '~/domain/facturacion/notaSencilla/notaDraft.server';
import { DatosNotaForm, type DatosNota } from '~/domain/facturacion/notaSencilla/forms';
import { datosVacios } from '~/domain/facturacion/notaSencilla/notaSencilla';
import { drawNota } from '~/domain/facturacion/notaSencilla/internal/pdfNota.server';
import { cleanExpired } from '~/domain/operacion/mantenimiento/limpieza.server';
import { action, loader } from '~/routes/facturacion/notaSencilla/notaSencilla';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
let usuario: Usuario;
beforeAll(async () => {
  usuario = await buildPersona(db, 'user');
  await db
    .insertInto('codigoPostal')
    .values({
      cp: '06700',
      asentamiento: 'Roma Norte',
      tipo: 'Colonia',
      municipio: 'Cuauhtémoc',
      ciudad: 'Ciudad de México',
      estado: 'Ciudad de México',
      origen: 'demo',
    })
    .execute();
});

const HOY = civilDay(new Date());
const articulo = (nombre: string, precio: string, cantidad = 1): Articulo => ({
  ...articuloVacio(),
  nombre,
  cantidad,
  precioUnitario: precio,
  importe: (Number(precio) * cantidad).toFixed(2),
});
const DATOS: DatosNota = {
  cp: '06700',
  colonia: 'Roma Norte',
  calle: 'Orizaba',
  numeroExterior: '101',
  numeroInterior: '2',
  ciudad: 'Ciudad de México',
  municipio: 'Cuauhtémoc',
  estado: 'Ciudad de México',
  nombre: 'Begoña',
  apellidos: 'Núñez',
  telefono: '5512345678',
  email: 'begona@correo.test',
};

/** A note of which only 'Crear Nota Sencilla' is left. */
async function buildNotaDraft({
  articulos = [articulo('Cámara', '116.00', 2)],
  datos = DATOS as DatosNota | null,
} = {}) {
  const id = await openNotaDraft(db, articulos, usuario.id);
  if (datos) await saveDatosNota(db, await requireNotaDraft(db, id, usuario), datos);
  return requireNotaDraft(db, id, usuario);
}
const create = (draft: { id: string; version: number }, fecha = HOY) =>
  db
    .transaction()
    .execute((trx) =>
      createNota(trx, draft.id, { fecha, visto: { version: draft.version, mostrado: {} }, usuario, now: new Date() }),
    );
const ultimo = async () =>
  (await db.selectFrom('contador').select('ultimo').where('clave', '=', 'notaSencilla').executeTakeFirstOrThrow())
    .ultimo;

/** What the pages of a PDF print, as far as standard fonts go. */
function textOf(pdf: Buffer): string {
  const raw = pdf.toString('latin1');
  const streams = [...raw.matchAll(/stream\r?\n([\s\S]*?)endstream/g)].map(([, body = '']) => {
    try {
      return inflateSync(Buffer.from(body, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return streams
    .flatMap((stream) => [...stream.matchAll(/\[((?:<[0-9a-f]*>|[-\d. ])+)\] TJ/g)])
    .map(([, parts = '']) =>
      [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''),
    )
    .join('\n');
}

const { colonias: _c, aviso: _a, listos: _l, ...vacio } = datosVacios();

test('14: a note shows letters of any script, and a box for those that no font has', async () => {
  const caso = JSON.parse(
    readFileSync(new URL('../../../casos/14-nota-letras.json', import.meta.url), 'utf8'),
  ) as Record<'nombre' | 'apellidos' | 'articulo', string>;
  // A long name in letters of several fonts takes the lines it needs, and its row grows with it.
  const largo = 'Funda ≥ 5 °C Łódź 田 '.repeat(12);
  const hermanos = ['田中 太郎', 'Ελένη Ж', 'José ★ → 😀', 'Nguyễn Đặng'];
  const articulos = [caso.articulo, largo, ...hermanos, 'Caja 김 🤴 fin'].map((nombre) => articulo(nombre, '116.00'));
  const { nombre, apellidos } = caso;
  const importes = { subTotal: '700.00', iva: '112.00', total: '812.00' };
  const cabeza = { marca: 'Łódź 田', folio: 'N-1', fecha: HOY };
  const pdf = await drawNota({ ...vacio, ...cabeza, ...importes, nombre, apellidos, articulos });
  // The letters that are shown are embedded, and no more of their fonts.
  expect(pdf.length).toBeLessThan(60_000);
  const read = await readPdf(new Uint8Array(pdf));
  const lines = read.tipo === 'leido' ? read.dice : [];
  expect(lines).toContain(`${nombre} ${apellidos}`);
  for (const texto of ['Łódź 田', caso.articulo, ...hermanos, 'Caja □ □ fin'])
    expect(lines.join('\n').replace(/[ \t]+/g, ' ')).toContain(texto);
  expect(lines.filter((line) => line.includes('Funda')).length).toBeGreaterThan(3);
});

test('a note has its folio, its sums, its PDF, its letter and its line in the bitacora', async () => {
  const draft = await buildNotaDraft();
  const id = await create(draft, addDays(HOY, -100));
  const nota = await readNota(db, id);
  expect(nota).toMatchObject({
    folio: `N-${await ultimo()}`,
    fecha: addDays(HOY, -100),
    nombre: 'Begoña',
    articulos: [{ nombre: 'Cámara', cantidad: 2 }],
  });
  expect([nota!.subtotal, nota!.iva, nota!.total].map(String)).toEqual(['200.00', '32.00', '232.00']);

  const file = await readNotaFile(db, id);
  expect(file).toMatchObject({ nombre: `nota-${nota!.folio}.pdf`, archivo: { tipo: 'application/pdf' } });
  const text = textOf(file!.archivo.contenido);
  for (const part of [
    'Trastienda',
    nota!.folio,
    'Begoña Núñez',
    'Orizaba No. 101 Int. 2',
    'C.P. 06700',
    'Cámara',
    '$116.00',
    '$200.00',
    '$32.00',
    '$232.00',
    '(DOSCIENTOS TREINTA Y DOS PESOS 00/100 M.N.)',
    'Página 1 de 1',
  ]) {
    expect(text).toContain(part);
  }

  const effect = await db
    .selectFrom('effect')
    .select('id')
    .where('type', '=', 'nota.mail')
    .where('key', '=', `nota:${id}`)
    .executeTakeFirstOrThrow();
  await runEffect(effectRuntime(db), effect.id);
  expect(await effectView(db, effect.id)).toMatchObject({ state: 'done' });
  const [mail] = await sandbox.correo.inbox({ to: 'begona@correo.test' });
  expect(mail).toMatchObject({
    subject: `Tu nota ${nota!.folio} de Trastienda`,
    attachments: [{ filename: `nota-${nota!.folio}.pdf`, type: 'application/pdf', size: file!.archivo.bytes }],
  });
  const hechos = await db.selectFrom('bitacora').select('accion').where('entidadId', '=', id).orderBy('id').execute();
  expect(hechos.map(({ accion }) => accion)).toEqual(['crear', 'correo enviado']);
});

test('sent twice, it is one note', async () => {
  const draft = await buildNotaDraft();
  const [first, second] = await Promise.all([create(draft), create(draft)]);
  expect(second).toBe(first);
  expect(await create(draft)).toBe(first);
});

test('ten people at once take ten folios in a row, and a note that fails gives its folio back', async () => {
  const before = await ultimo();
  const drafts = await Promise.all(Array.from({ length: 10 }, () => buildNotaDraft()));
  const failing = db.transaction().execute(async (trx) => {
    const draft = await buildNotaDraft();
    await createNota(trx, draft.id, {
      fecha: HOY,
      visto: { version: draft.version, mostrado: {} },
      usuario,
      now: new Date(),
    });
    throw new Error('se fue la luz');
  });
  await Promise.all([expect(failing).rejects.toThrow('se fue la luz'), ...drafts.map((draft) => create(draft))]);
  const folios = await db
    .selectFrom('notaSencilla')
    .select('folio')
    .where('folio', '>', before)
    .orderBy('folio')
    .execute();
  expect(folios.map(({ folio }) => folio)).toEqual(Array.from({ length: 10 }, (_, n) => before + 1 + n));
});

test.each([
  [101, 'La fecha de la nota puede ser hoy o hasta 100 días antes'],
  [-1, 'La fecha de la nota no puede ser futura.'],
])('a date %i days back is refused', async (days, texto) => {
  const before = await ultimo();
  await expect(create(await buildNotaDraft(), addDays(HOY, -days))).rejects.toMatchObject({
    titulo: 'Nota sencilla',
    campo: 'fecha',
    message: expect.stringContaining(texto),
  });
  expect(await ultimo()).toBe(before);
});

test('what was reviewed is what is issued: a draft changed since is told', async () => {
  const draft = await buildNotaDraft();
  await saveNotaDraft(db, draft, { articulos: [articulo('Otra cosa', '1.00')] });
  await expect(create(draft)).rejects.toThrow('Otra persona modificó este registro.');
  await expect(saveNotaDraft(db, draft, { articulos: [] })).rejects.toThrow('Otra persona modificó este registro.');
});

test('a step opens when those before it are saved, and an issued note opens nothing but its result', async () => {
  const half = await buildNotaDraft({ datos: null });
  expect((await readNotaDraft(db, half.id, usuario, '3')).paso).toBe('2');
  await expect(create(half)).rejects.toThrow('Faltan los datos de la nota.');
  const draft = await buildNotaDraft();
  expect((await readNotaDraft(db, draft.id, usuario, '1')).paso).toBe('1');
  await create(draft);
  expect(await readNotaDraft(db, draft.id, usuario, '1')).toMatchObject({
    paso: 'lista',
    nota: { folio: expect.stringMatching(/^N-\d+$/) },
  });
  await expect(saveNotaDraft(db, await requireNotaDraft(db, draft.id, usuario), { articulos: [] })).rejects.toThrow(
    'Esta nota ya se generó y no cambia.',
  );
});

test('a draft is its owner’s; sa goes on with anybody’s; what is none is told', async () => {
  const draft = await buildNotaDraft();
  const otro = await buildPersona(db, 'user');
  await expect(requireNotaDraft(db, draft.id, otro)).rejects.toThrow('Este borrador ya no existe.');
  expect((await requireNotaDraft(db, draft.id, { id: otro.id, rol: 'sa' })).id).toBe(draft.id);
  await expect(requireNotaDraft(db, 'nada', usuario)).rejects.toThrow('Este borrador ya no existe.');
});

test('the postal code fills in the rest and leaves what was typed', async () => {
  const draft = await buildNotaDraft({ datos: null });
  await lookUpCpOfNota(db, draft, { cp: ' 06700 ', nombre: 'Begoña', colonia: 'La que sea' });
  const { datos } = await requireNotaDraft(db, draft.id, usuario);
  expect(datos).toMatchObject({
    cp: '06700',
    nombre: 'Begoña',
    colonia: 'Roma Norte',
    ciudad: 'Ciudad de México',
    municipio: 'Cuauhtémoc',
    estado: 'Ciudad de México',
    colonias: ['Roma Norte'],
    listos: false,
  });
});

test('a code nobody knows leaves everything to be typed', async () => {
  const draft = await buildNotaDraft({ datos: null });
  await lookUpCpOfNota(db, draft, { cp: '00001', calle: 'Sin nombre' });
  expect((await requireNotaDraft(db, draft.id, usuario)).datos).toMatchObject({
    cp: '00001',
    calle: 'Sin nombre',
    colonias: [],
    aviso: 'No encontramos ese código postal: escribe la dirección a mano.',
  });
});

test.each([
  [{ cp: '1234' }, 'cp', 'Código Postal No Valido'],
  [{ telefono: '551234567' }, 'telefono', 'El teléfono tiene 10 dígitos'],
  [{ email: 'nadie' }, 'email', 'Email No Valido'],
  [{ email: 'a@b.comercio' }, 'email', 'Email No Valido'],
  [{ nombre: '  ' }, 'nombre', 'Este dato es requerido'],
  [{ apellidos: undefined }, 'apellidos', 'Este dato es requerido'],
])('%o is told at its field', (change, campo, texto) => {
  const parsed = DatosNotaForm.safeParse({ ...DATOS, ...change });
  expect(parsed.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([[campo, texto]]);
});

test('five digits in a row are the postal code and ten the phone, whatever stands around them', () => {
  expect(DatosNotaForm.parse({ ...DATOS, cp: '066001' })).toMatchObject({ cp: '06600' });
  expect(DatosNotaForm.parse({ ...DATOS, cp: 'C.P. 06700', telefono: '(55) 1234-5678' })).toMatchObject({
    cp: '06700',
    telefono: '5512345678',
  });
});

test('a long note goes on over several pages, each with its number', async () => {
  const articulos = Array.from({ length: 90 }, (_, n) =>
    articulo(`Artículo ${n + 1} con una descripción larga que no cabe en un solo renglón de la tabla 😀`, '10.00'),
  );
  const text = textOf(
    await drawNota({
      ...vacio,
      marca: 'Trastienda',
      folio: 'N-7',
      fecha: HOY,
      articulos,
      subTotal: '775.86',
      iva: '124.14',
      total: '900.00',
    }),
  );
  expect(text.match(/Artículo \d+ con/g)).toHaveLength(90);
  expect(text).toMatch(/Página 1 de (\d+)/);
  const [, pages] = /Página 1 de (\d+)/.exec(text)!;
  expect(text.match(/Descripción/g)).toHaveLength(Number(pages));
  expect(Number(pages)).toBeGreaterThan(3);
});

test('the list finds notes by folio, name and phone and adds them up; the letter can be sent again', async () => {
  const id = await create(await buildNotaDraft({ datos: { ...DATOS, nombre: 'Zoraida', telefono: '3300112233' } }));
  for (const q of ['zoraida nunez', '3300112233']) {
    const filtro = notasList.parse(new URLSearchParams({ q }));
    const totales = await notasList.totals(db, filtro);
    expect([totales.registros, String(totales.total)]).toEqual([1, '232.00']);
    expect(await notasList.window(db, filtro, { indice: 0, total: 1, corte: null })).toMatchObject([
      { id, cliente: 'Zoraida Núñez' },
    ]);
  }
  const again = () => db.transaction().execute((trx) => resendNotaMail(trx, id, usuario.id));
  expect(await again()).toMatchObject({ created: false });
  await expect(db.transaction().execute((trx) => resendNotaMail(trx, 'nada', usuario.id))).rejects.toThrow(
    'La nota ya no existe.',
  );
});

test('what nobody finished goes after a month, what was issued stays', async () => {
  const [old, issued] = [await buildNotaDraft(), await buildNotaDraft()];
  await create(issued);
  await db
    .updateTable('notaDraft')
    .set({ actualizadoEn: new Date(Date.now() - 31 * 86_400_000) })
    .where('id', 'in', [old.id, issued.id])
    .execute();
  expect(await cleanExpired(db)).toMatchObject({ borradoresNota: 1 });
  expect(await db.selectFrom('notaDraft').select('id').where('id', 'in', [old.id, issued.id]).execute()).toEqual([
    { id: issued.id },
  ]);
  // The note says who it is for; its draft need not, once that is long ago.
  const datosOf = async () =>
    (await db.selectFrom('notaDraft').select('datos').where('id', '=', issued.id).executeTakeFirstOrThrow()).datos;
  expect(await datosOf()).not.toBeNull();
  await sql`update nota_draft set actualizado_en = now() - interval '6 years' where id = ${issued.id}`.execute(db);
  expect(await cleanExpired(db)).toMatchObject({ borradoresUsados: 1 });
  expect(await datosOf()).toBeNull();
});

function args(query: string, body?: Record<string, string>): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/user/notaSencilla${query}`,
    body && { method: 'POST', body: new URLSearchParams(body) },
  );
  return { request, params: {}, context: { usuario } as unknown as AppLoadContext };
}
const locationOf = (answer: unknown) => (answer instanceof Response ? answer.headers.get('Location')! : '');

test('the whole story, as forms without JavaScript send it', async () => {
  const row = {
    'articulos[0].nombre': 'Instalación',
    'articulos[0].codigoSat': '72151600',
    'articulos[0].cantidad': '1',
    'articulos[0].precioUnitario': '1,231.50',
  };
  expect(await action(args('', { intent: 'articulos' }))).toMatchObject({ init: { status: 422 } });
  const paso2 = locationOf(await action(args('', { ...row, intent: 'articulos' })));
  expect(paso2).toMatch(/^\?borrador=[\w-]+&paso=2$/);
  expect((await unfinishedNota(db, usuario.id))?.id).toBe(new URLSearchParams(paso2).get('borrador'));
  const visto = async (paso: string) => {
    const { version, mostrado } = (await loader(args(paso))).vista!.visto;
    return { version: String(version), mostrado };
  };
  const buscar = { ...(await visto(paso2)), intent: 'buscarCp', cp: '06700' };
  expect(locationOf(await action(args(paso2, buscar)))).toBe(paso2);
  expect(await action(args(paso2, { ...(await visto(paso2)), intent: 'datos', cp: '06700' }))).toMatchObject({
    init: { status: 422 },
  });
  // Whoever pressed while the own look-up was under way is not told that somebody changed it.
  const paso3 = locationOf(await action(args(paso2, { ...DATOS, ...buscar, cp: DATOS.cp, intent: 'datos' })));
  // Another window, of before: nothing is written, what stands now comes beside what was typed, and the same press after it works.
  const ajena = await action(args(paso2, { ...DATOS, ...buscar, nombre: 'Otra', intent: 'datos' }));
  expect(ajena).toMatchObject({
    init: { status: 422 },
    data: {
      initialValue: { nombre: 'Otra' },
      choque: {
        cambios: [{ campo: 'Nombre', mio: '—', suyo: expect.stringContaining(DATOS.nombre) as string }, {}, {}],
      },
    },
  });
  const { marcas } = (ajena as { data: { choque: { marcas: Record<string, string> } } }).data.choque;
  const otraVez = { ...DATOS, ...marcas, version: String(marcas.version), intent: 'datos' };
  expect(locationOf(await action(args(paso2, otraVez)))).toBe(paso3);
  const { vista } = await loader(args(paso3));
  expect(vista).toMatchObject({ paso: '3', totales: { total: '1231.50' } });
  const crear = { ...(await visto(paso3)), intent: 'crear', fecha: HOY };
  expect(await action(args(paso3, crear))).toMatchObject({
    data: { confirmar: { titulo: 'Nota sencilla', texto: '¿Estas seguro de generar la nota sencilla?' } },
  });
  const lista = locationOf(await action(args(paso3, { ...crear, confirmado: '1' })));
  expect((await loader(args(lista))).vista?.nota?.folio).toMatch(/^N-/);
});
