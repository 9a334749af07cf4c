import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from '~/api/client';
import { serveApi } from '~/api/serve.server';
import { openSession } from '~/domain/personal/sesiones.server';
import { described } from '../support/api';
import { buildOrden } from '../support/builders/ordenes';
import { buildProductoDeStock, unPdf } from '../support/builders/stock';
import { testDatabase } from '../support/db';
import { buildUsuarios } from '../support/web';

const { db } = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'trastienda-cliente-'));
const file = join(folder, 'apiCliente.ts');
afterAll(() => rmSync(folder, { recursive: true }));

type Cliente = {
  llamar(call: string, asks: object, more?: object): Promise<unknown>;
  pedirTodo(call: string, asks: object): Promise<{ datos: never; etag: string | null; status: number }>;
};
let crearCliente: (options: object) => Cliente;
let token: string;

beforeAll(async () => {
  writeFileSync(file, clientOf(described() as unknown as Parameters<typeof clientOf>[0]));
  const { outputText } = ts.transpileModule(ts.sys.readFile(file)!, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const made = join(folder, 'apiCliente.mjs');
  writeFileSync(made, outputText);
  ({ crearCliente } = (await import(pathToFileURL(made).href)) as { crearCliente: typeof crearCliente });
  const ids = await buildUsuarios(db);
  token = await db.transaction().execute((trx) => openSession(trx, { id: ids.sa }, true));
});

/** How many errors the types find in each program that uses the client; all are read at once, since reading the client is what takes long. */
function errorsOf(programs: Record<string, string>): Record<string, string[]> {
  const files = Object.entries(programs).map(([name, text]) => {
    const use = join(folder, `${name}.ts`);
    writeFileSync(
      use,
      `import { crearCliente } from './apiCliente';\nconst cliente = crearCliente({ base: 'x' });\n${text}\n`,
    );
    return use;
  });
  const lib = ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'];
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    lib,
    types: [],
    skipDefaultLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  const found = ts.getPreEmitDiagnostics(program);
  return Object.fromEntries(
    Object.keys(programs).map((name, at) => [
      name,
      found
        .filter(({ file }) => file?.fileName !== files[1 - at])
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
    ]),
  );
}

test('the client is TypeScript that knows every call, what it asks and what it answers', () => {
  const { bien, mal } = errorsOf({
    bien: `
      const uno = async () => {
        const { datos, siguiente } = await cliente.llamar('GET /api/v1/ordenes', { query: { limite: 2, orden: '-fecha' } });
        const pagado: string | null = datos[0]!.pagado;
        const sigue: string | null = siguiente;
        await cliente.llamar('POST /api/empresa', { body: { nombre: 'x' } }, { llave: 'k' });
        const factura = new File(['%PDF'], 'f.pdf');
        await cliente.llamar('POST /api/v1/stock', { form: { datos: { costo: '1.00', cantidad: 1 }, factura } });
        const qr: Blob = await cliente.llamar('POST /api/v1/stock/qr', { body: { piezas: ['x'] } });
        const { etag, datos: pieza } = await cliente.pedirTodo('GET /api/v1/stock/{id}', { params: { id: 'x' } });
        await cliente.llamar('PUT /api/v1/stock/{id}', {
          params: { id: 'x' },
          ifMatch: etag!,
          body: { ...pieza, proveedor: pieza.proveedor! },
        });
        return [pagado, sigue, qr];
      };
      void uno;`,
    mal: `
      void cliente.llamar('GET /api/v1/nada', {});
      void cliente.llamar('POST /api/empresa', { body: {} });
      void cliente.llamar('GET /api/v1/ordenes', { query: { orden: 'nada' } });`,
  });
  expect(bien).toEqual([]);
  expect(mal).toHaveLength(3);
});

test('the client asks and is answered, and throws what was refused', async () => {
  const { numOrden } = await buildOrden(db);
  const fetch = (request: Request) =>
    serveApi({ request, path: decodeURIComponent(new URL(request.url).pathname), requestId: 'prueba', ip: '10.0.0.1' });
  const cliente = crearCliente({ base: 'http://api.local', token, fetch });
  expect(await cliente.llamar('GET /api/v1/ordenes', { query: { q: numOrden } })).toMatchObject({
    datos: [{ numOrden }],
    siguiente: null,
  });
  const made = cliente.llamar('POST /api/empresa', { body: { nombre: 'Por cliente' } }, { llave: 'k1' });
  expect(await made).toMatchObject({ error: false });
  await expect(
    cliente.llamar('GET /api/v1/ordenes/{id}', { params: { id: '019a0000-0000-7000-8000-000000000000' } }),
  ).rejects.toMatchObject({ name: 'ErrorDeApi', status: 404, message: 'Lo que se pidió no existe.' });
});

test('the client sends files, receives them, and shows the mark that an edit takes back', async () => {
  const { id: producto } = await buildProductoDeStock(db);
  const fetch = (request: Request) =>
    serveApi({ request, path: decodeURIComponent(new URL(request.url).pathname), requestId: 'prueba', ip: '10.0.0.1' });
  const cliente = crearCliente({ base: 'http://api.local', token, fetch }) as unknown as Cliente;
  const datos = { costo: '80.00', cantidad: 1, producto, proveedor: 'syscom', folioFactura: 'F-9' };
  const { folios } = (await cliente.llamar('POST /api/v1/stock', { form: { datos, factura: unPdf() } })) as {
    folios: string[];
  };
  const { id } = await db
    .selectFrom('stockInterno')
    .select('id')
    .where('folio', '=', folios[0]!)
    .executeTakeFirstOrThrow();
  const read = await cliente.pedirTodo('GET /api/v1/stock/{id}', { params: { id } });
  const body = { ...(read.datos as object), costo: '81.00' };
  expect(await cliente.llamar('PUT /api/v1/stock/{id}', { params: { id }, body, ifMatch: read.etag! })).toMatchObject({
    costo: '81.00',
    facturaFolio: 'F-9',
  });
  for (const asked of [
    cliente.llamar('GET /api/v1/stock/{id}/factura', { params: { id } }),
    cliente.llamar('POST /api/v1/stock/qr', { body: { piezas: [id] } }),
  ])
    expect(await ((await asked) as Blob).text()).toContain('%PDF');
});
