import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { dayRange } from '~/core/time';
import type { Rol, Usuario } from '~/core/usuario';
import { runExport } from '~/domain/operacion/exports/runExport.server';
import { action, loader } from '~/routes/facturacion/facturas/lista';
import { loader as descargarExportacion } from '~/routes/files/descargasExportacion';
import { loader as descargarFactura } from '~/routes/files/descargasFactura';
import { loader as descargarLote } from '~/routes/files/descargasLote';
import { loader as descargarExpediente } from '~/routes/files/expediente';
import { action as pedirExportacion, loader as verExportaciones } from '~/routes/files/exportaciones';
import { loader as leerVentana } from '~/routes/files/listas';
import { action as varios, loader as verLote } from '~/routes/operacion/lotes/lote';
import { loader as verBalance } from '~/routes/facturacion/mes/balanceFiscal';
import { buildFactura, seedFacturas } from '../support/builders/facturas';
import { ownerDatabase, testDatabase } from '../support/db';
import { PROBADA } from '../support/sesion';
import { unzip } from '../support/unzip';

const { db } = testDatabase();
const OCTUBRE = 'desde=2026-10-01&hasta=2026-10-31';
const people = new Map<Rol, string>();
let factura: Awaited<ReturnType<typeof buildFactura>>;

beforeAll(async () => {
  for (const rol of ['sa', 'admin', 'user', 'aux', 'cont'] as const) {
    const { id } = await db
      .insertInto('usuario')
      .values({ usuario: rol, nombre: rol, apellidos: 'Prueba', email: `${rol}@ejemplo.mx`, rol, passwordHash: '-' })
      .returning('id')
      .executeTakeFirstOrThrow();
    people.set(rol, id);
  }
  await seedFacturas(ownerDatabase().db, { count: 250, ...dayRange('2026-10-01', '2026-10-31') });
  factura = await buildFactura(db, {
    serie: 'D',
    folio: 7,
    fechaTimbrado: new Date('2026-09-10T18:00:00Z'),
    conceptos: [{ descripcion: 'Cámara', cantidad: '3', total: '299.97' }],
  });
});

function args(
  rol: Rol,
  path: string,
  {
    body,
    params = {},
    headers,
  }: { body?: Record<string, string>; params?: Record<string, string>; headers?: HeadersInit } = {},
): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    body ? { method: 'POST', body: new URLSearchParams(body), headers } : { headers },
  );
  const usuario = {
    id: people.get(rol)!,
    usuario: rol,
    nombre: rol,
    apellidos: 'Prueba',
    email: `${rol}@ejemplo.mx`,
    rol,
    activo: true,
  };
  return { request, params, context: { usuario, sesion: PROBADA } as unknown as AppLoadContext };
}

const statusOf = async (answer: Promise<unknown>) => {
  const thrown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof Response ? thrown.status : thrown;
};

describe('the list', () => {
  test('answers its first window with the totals of all', async () => {
    const { lista } = await loader(args('cont', `facturasClientes?${OCTUBRE}`));
    expect(lista.ventana).toMatchObject({ indice: 0, filas: { length: 50 } });
    expect(lista.totales!.registros).toBe(250);
    expect(lista.ventana.filas[0]).toMatchObject({ folio: 'F-250', total: expect.stringMatching(/^\d+\.\d\d$/) });
  });

  test('opens one with its conceptos, and says nothing of one that is not there', async () => {
    const open = async (ver: string) => (await loader(args('user', `facturasClientes?ver=${ver}`))).abierta;
    expect(await open(factura.id)).toMatchObject({
      factura: {
        folio: 'D-7',
        rfc: factura.rfc,
        total: '299.97',
        conceptos: [{ descripcion: 'Cámara', cantidad: '3.00' }],
      },
    });
    expect(await open('00000000-0000-7000-8000-000000000000')).toBe('ausente');
    expect(await open('no-es-un-id')).toBe('ausente');
  });

  test('lets only sa and admin ask again for a cancellation that was lost, and only one that was', async () => {
    const body = { factura: factura.id, intent: 'pedirOtraVez' };
    for (const rol of ['user', 'cont'] as const) {
      await expect(action(args(rol, 'facturasClientes', { body: { ...body, confirmado: '1' } }))).rejects.toThrow(
        NotAllowed,
      );
    }
    expect(await action(args('admin', 'facturasClientes', { body }))).toMatchObject({
      data: { confirmar: { titulo: 'Pedir otra vez' } },
    });
    expect(await action(args('admin', 'facturasClientes', { body: { ...body, confirmado: '1' } }))).toMatchObject({
      data: { titulo: 'Error al cancelar.', error: { '': [expect.stringMatching(/ya no espera/)] } },
      init: { status: 422 },
    });
  });

  test.each([
    ['individual', 'Cancelar factura', '¿Estas seguro de cancelar la factura ante el SAT?'],
    ['global', 'Cancelar factura global', '¿Estas seguro de cancelar la factura global ante el SAT?'],
    ['notaCredito', 'Cancelar nota de crédito', '¿Estas seguro de cancelar la nota de crédito ante el SAT?'],
  ] as const)('asks before cancelling what it calls by its name, and says which: %s', async (tipo, titulo, texto) => {
    const { id } = await buildFactura(db, {
      tipo,
      serie: 'Q',
      folio: texto.length,
      razonSocial: 'ESCUELA KEMPER URGATE',
      rfc: 'EKU9003173C9',
    });
    const body = { factura: id, intent: 'cancelar', tipo, motivo: '02', huella: 'vigente··02,03' };
    expect(await action(args('admin', 'facturasClientes', { body }))).toMatchObject({
      data: {
        confirmar: { titulo, texto, hechos: `Q-${texto.length} · ESCUELA KEMPER URGATE · EKU9003173C9 · $1,298.00` },
      },
    });
  });

  test('says to whom a letter goes before it leaves', async () => {
    const body = { factura: factura.id, intent: 'reenviar' };
    expect(await action(args('admin', 'facturasClientes', { body }))).toMatchObject({
      data: {
        confirmar: {
          hechos: expect.stringMatching(/^D-7 · .+ · \$299\.97\. Se envía a juana@ejemplo\.mx\.$/) as string,
        },
      },
    });
  });

  test('lets only sa and admin resend the mail', async () => {
    for (const rol of ['sa', 'admin', 'user', 'cont'] as const) {
      expect((await loader(args(rol, `facturasClientes?ver=${factura.id}`))).abierta).toMatchObject({
        puedeReenviar: rol === 'sa' || rol === 'admin',
      });
    }
    for (const rol of ['user', 'cont'] as const) {
      await expect(
        action(args(rol, 'facturasClientes', { body: { intent: 'reenviar', factura: factura.id, confirmado: '1' } })),
      ).rejects.toThrow(NotAllowed);
    }
    expect(await db.selectFrom('effect').where('type', '=', 'factura.mail').select('id').execute()).toEqual([]);
  });
});

describe('resending the mail', () => {
  const resend = (body: Record<string, string>) =>
    action(args('admin', `facturasClientes?ver=${factura.id}`, { body: { intent: 'reenviar', ...body } }));

  test('asks first', async () => {
    expect(await resend({ factura: factura.id })).toMatchObject({
      data: { confirmar: { texto: '¿Está seguro que desea enviar el correo?' } },
    });
  });

  test('says why it was refused', async () => {
    const answer = resend({ factura: factura.id, confirmado: '1' });
    await expect
      .poll(() =>
        db
          .updateTable('effect')
          .set({ state: 'refused', reason: 'El buzón no existe.', settledAt: new Date() })
          .where('type', '=', 'factura.mail')
          .where('state', '=', 'queued')
          .returning('id')
          .execute(),
      )
      .toHaveLength(1);
    expect(await answer).toMatchObject({
      data: { titulo: 'Error al enviar el correo.', error: { '': ['El buzón no existe.'] } },
      init: { status: 422 },
    });
  });

  test('of a factura that does not exist is refused', async () => {
    for (const [id, error] of [
      ['nada', { factura: ['Lo que se pidió no existe.'] }],
      ['019a0000-0000-7000-8000-000000000000', { '': ['La factura ya no existe.'] }],
    ] as const)
      expect(await resend({ factura: id, confirmado: '1' })).toMatchObject({ data: { error }, init: { status: 422 } });
  });
});

describe('later windows', () => {
  const CORTE = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
  const read = (rol: Rol, lista: string, query: string) =>
    leerVentana(args(rol, `listas/${lista}?${query}`, { params: { lista } }));

  test('continue where the first one ends', async () => {
    const { lista } = await loader(args('user', `facturasClientes?${OCTUBRE}`));
    const window = await (
      await read('user', 'facturasClientes', `${OCTUBRE}&ventana=4&total=250&corte=${lista.corte}`)
    ).json();
    expect(window).toMatchObject({ indice: 4, filas: { length: 50 } });
    expect(window.filas.at(-1).folio).toBe('F-1');
  });

  test('are read by who may open the screen', async () => {
    expect(await statusOf(read('aux', 'facturasClientes', `ventana=0&total=10&corte=${CORTE}`))).toBe(404);
    expect(await statusOf(read('sa', 'constructor', `ventana=0&total=10&corte=${CORTE}`))).toBe(404);
  });

  test('that make no sense do not exist', async () => {
    for (const query of [
      '',
      'ventana=-1&total=1&corte=x',
      `ventana=1e9&total=-1&corte=${CORTE}`,
      'ventana=1&total=10&corte=;drop',
    ]) {
      expect(await statusOf(read('sa', 'facturasClientes', query))).toBe(404);
    }
  });
});

describe('the Excel', () => {
  const ask = async (rol: Rol, body: Record<string, string>) =>
    (await pedirExportacion(args(rol, 'exportaciones', { body: { intent: 'pedir', ...body } }))) as Response;
  const mine = async (rol: Rol) => (await verExportaciones(args(rol, 'exportaciones?lista=facturasClientes'))).json();
  const download = (rol: Rol, id: string) =>
    descargarExportacion(args(rol, `descargas/exportacion/${id}`, { params: { id } }));

  test('is asked for, watched, taken by its owner and by sa, and put away', async () => {
    const answer = await ask('cont', {
      lista: 'facturasClientes',
      search: OCTUBRE,
      volver: '/cont/facturasClientes?q=x',
    });
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/cont/facturasClientes?q=x']);
    const [run] = await mine('cont');
    expect(run).toMatchObject({ estado: 'queued', lista: 'facturasClientes' });
    expect(await mine('admin')).toEqual([]);
    expect(await statusOf(download('cont', run.id))).toBe(404);
    await runExport(db, run.id, { lastAttempt: true });
    expect(await mine('cont')).toMatchObject([{ estado: 'done', escritos: 250, total: 250 }]);
    for (const rol of ['cont', 'sa'] as const) {
      const file = await download(rol, run.id);
      expect(file.headers.get('Content-Disposition')).toContain(
        'filename="Facturas de clientes 2026-10-01 a 2026-10-31.xlsx"',
      );
    }
    expect(await statusOf(download('admin', run.id))).toBe(404);
    await ask('admin', { intent: 'quitar', id: run.id });
    expect(await mine('cont')).toHaveLength(1);
    await ask('cont', { intent: 'quitar', id: run.id });
    expect(await mine('cont')).toEqual([]);
  });

  test('of a screen one may not open is not written, and nobody is sent elsewhere', async () => {
    expect(await statusOf(ask('aux', { lista: 'facturasClientes', search: '' }))).toBe(404);
    const answer = await ask('admin', { lista: 'facturasClientes', search: '', volver: 'https://malo.invalid/' });
    expect(answer.headers.get('Location')).toBe('/admin');
  });
});

describe('the expediente', () => {
  const zipOf = async (answer: Response) => Object.keys(unzip(Buffer.from(await answer.arrayBuffer())));
  const ask = async (rol: Rol, mes: string) =>
    (await pedirExportacion(
      args(rol, 'exportaciones', { body: { intent: 'expediente', mes, volver: `/${rol}/balanceFiscal?mes=${mes}` } }),
    )) as Response;
  const download = (rol: Rol, id: string, as?: Rol) => {
    const { context, ...asked } = args(rol, `descargas/exportacion/${id}`, { params: { id } });
    const usuario = { ...(context.usuario as Usuario), ...(as && { rol: as }) };
    return descargarExportacion({ ...asked, context: { ...context, usuario } });
  };

  test('of a CFDI is offered to whoever may take it, and to nobody else', async () => {
    for (const rol of ['sa', 'admin', 'user', 'cont'] as const)
      expect((await loader(args(rol, `facturasClientes?ver=${factura.id}`))).abierta).toMatchObject({
        conExpediente: rol !== 'user',
      });
    const { id } = factura;
    const answer = await descargarExpediente(args('cont', `descargas/expediente/${id}`, { params: { id } }));
    expect([...answer.headers].filter(([name]) => /^c(ontent|ache)/.test(name))).toEqual([
      ['cache-control', 'no-store'],
      ['content-disposition', `attachment; filename="Expediente D-7.zip"; filename*=UTF-8''Expediente%20D-7.zip`],
      ['content-type', 'application/zip'],
    ]);
    expect(await zipOf(answer)).toContain('indice.html');
    expect(await statusOf(descargarExpediente(args('cont', 'descargas/expediente/x', { params: { id: 'x' } })))).toBe(
      404,
    );
  });

  test('of a month is prepared for its owner and for sa, while the role may', async () => {
    for (const rol of ['user', 'aux'] as const)
      await expect(ask(rol, '2026-10')).rejects.toThrow('El rol de este usuario no puede hacer este cambio.');
    expect(await ask('cont', '2026-13')).toMatchObject({ init: { status: 422 } });
    const answer = await ask('cont', '2026-10');
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/cont/balanceFiscal?mes=2026-10']);
    const { expedientes } = await verBalance(args('cont', 'balanceFiscal?mes=2026-10'));
    const [run] = expedientes.exportaciones;
    expect(run).toMatchObject({ estado: 'queued', lista: 'balanceFiscal.expediente' });
    expect(await statusOf(download('cont', run!.id))).toBe(404);
    await runExport(db, run!.id, { lastAttempt: true });
    for (const rol of ['cont', 'sa'] as const)
      expect(await zipOf(await download(rol, run!.id))).toEqual(['indice.html', 'indice.xlsx']);
    expect(await statusOf(download('admin', run!.id))).toBe(404);
    expect(await statusOf(download('cont', run!.id, 'user')), 'a person whose role is less now').toBe(404);
  });
});

describe('what is chosen', () => {
  const choose = (rol: Rol, hacer: string, body: Record<string, string> = {}) =>
    varios(
      args(rol, 'lote', { body: { intent: 'preparar', lista: 'facturasClientes', consulta: OCTUBRE, hacer, ...body } }),
    ) as Promise<Response>;
  const offered = async (rol: Rol) => (await loader(args(rol, 'facturasClientes'))).acciones.map(({ hacer }) => hacer);

  test('can be taken away by whoever reads it, and written to customers by who may', async () => {
    expect(await offered('cont')).toEqual(['archivos', 'excel']);
    expect(await offered('admin')).toEqual(['archivos', 'reenviar', 'excel']);
    for (const rol of ['user', 'cont'] as const)
      expect(await choose(rol, 'reenviar', { fila: factura.id })).toMatchObject({
        data: { titulo: 'Error de autenticación.' },
        init: { status: 422 },
      });
    for (const rol of ['aux', 'cont'] as const)
      expect(await choose(rol, 'entregar', { fila: factura.id })).toMatchObject({ init: { status: 422 } });
    expect(await choose('aux', 'archivos', { fila: factura.id })).toMatchObject({ init: { status: 422 } });
  });

  test('is its Excel and no other row; all of it is what there was when the list was opened', async () => {
    const { lista } = await loader(args('user', `facturasClientes?${OCTUBRE}`));
    const [una, otra] = lista.ventana.filas;
    const answer = await choose('user', 'excel', { 'fila[0]': una!.id, 'fila[1]': otra!.id });
    expect(answer.headers.get('Location')).toBe(`/user/facturasClientes?${OCTUBRE}`);
    const nueva = await buildFactura(db, { serie: 'N', fechaTimbrado: new Date('2026-10-20T18:00:00Z') });
    await choose('user', 'excel', { todos: '1', corte: lista.corte });
    const asked = await db
      .selectFrom('exportRun')
      .select('id')
      .where('usuarioId', '=', people.get('user')!)
      .orderBy('id')
      .execute();
    for (const { id } of asked) await runExport(db, id, { lastAttempt: true });
    const runs = await (await verExportaciones(args('user', 'exportaciones?lista=facturasClientes'))).json();
    expect(runs).toMatchObject([
      { escritos: 250, total: 250 },
      { escritos: 2, total: 2, titulo: 'Facturas de clientes (2 de 2 elegidas).xlsx' },
    ]);
    await db.deleteFrom('facturaConcepto').where('facturaId', '=', nueva.id).execute();
    await db.deleteFrom('factura').where('id', '=', nueva.id).execute();
  });

  test('begins its file at once, and asks before a letter', async () => {
    const archivos = (await choose('cont', 'archivos', { fila: factura.id })).headers.get('Location')!;
    const id = new URLSearchParams(archivos.split('?')[1]).get('lote')!;
    const { lote } = await verLote(args('cont', `lote?lote=${id}`));
    expect(lote).toMatchObject({ archivo: true, pregunta: null, pedidoEn: expect.any(String), avance: { waiting: 1 } });
    expect(await statusOf(descargarLote(args('admin', `descargas/lote/${id}`, { params: { id } })))).toBe(404);
    const file = await descargarLote(args('cont', `descargas/lote/${id}`, { params: { id } }));
    expect(file.headers.get('Content-Disposition')).toContain('filename="Facturas (1).zip"');
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');

    const correo = (await choose('admin', 'reenviar', { fila: factura.id })).headers.get('Location')!;
    const carta = new URLSearchParams(correo.split('?')[1]).get('lote')!;
    const run = (body: Record<string, string>) =>
      varios(args('admin', 'lote', { body: { intent: 'correr', lote: carta, ...body } }));
    expect(await run({})).toMatchObject({
      data: { confirmar: { hechos: 'Cada cliente recibe su PDF y su XML: 1 factura por $299.97 en total.' } },
    });
    expect((await verLote(args('admin', `lote?lote=${carta}`))).lote).toMatchObject({ pedidoEn: null });
    await run({ confirmado: '1' });
    expect((await verLote(args('admin', `lote?lote=${carta}`))).lote).toMatchObject({ avance: { waiting: 1 } });
  });
});

describe('downloads', () => {
  const download = (formato: string, headers?: HeadersInit, id = factura.id) =>
    descargarFactura(args('user', `descargas/factura/${id}/${formato}`, { params: { id, formato }, headers }));

  test('carry the name, the type and a private cache, and are not sent twice', async () => {
    for (const [formato, tipo] of [
      ['pdf', 'application/pdf'],
      ['xml', 'application/xml'],
    ] as const) {
      const file = await download(formato);
      expect(file.headers.get('Content-Type')).toBe(tipo);
      expect(file.headers.get('Content-Disposition')).toContain(`filename="D-7.${formato}"`);
      expect(file.headers.get('Cache-Control')).toMatch(/^private/);
      expect((await file.text()).length).toBe(Number(file.headers.get('Content-Length')));
      expect((await download(formato, { 'If-None-Match': file.headers.get('ETag')! })).status).toBe(304);
    }
  });

  test('that do not exist are a 404', async () => {
    expect(await statusOf(download('exe'))).toBe(404);
    expect(await statusOf(download('pdf', undefined, 'x'))).toBe(404);
    expect(await statusOf(download('xml', undefined, '00000000-0000-7000-8000-000000000000'))).toBe(404);
  });
});
