import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { streamLote } from '~/domain/facturacion/emision/lotesDeFacturas.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { prepareBatch, readPreparedBatch, runBatch, startBatch } from '~/platform/batches/prepared.server';
import { buildFactura } from '../../../support/builders/facturas';
import { buildQuien } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';
import { unzip } from '../../../support/unzip';

const { db } = testDatabase();
let quien: string;
let otro: string;

beforeAll(async () => {
  quien = (await buildQuien(db, 'admin')).id;
  otro = (await buildQuien(db, 'sa')).id;
});

const prepare = (accion: string, filas: string[]) =>
  db
    .transaction()
    .execute((trx) =>
      prepareBatch(trx, ACCIONES[accion]!, { lista: 'facturasClientes', consulta: '', filas, usuarioId: quien }),
    );
async function run(accion: string, id: string) {
  await db.transaction().execute((trx) => startBatch(trx, ACCIONES[accion]!, id, quien));
  await runBatch(db, ACCIONES, id);
}
const statesOf = async (id: string) =>
  (await readPreparedBatch(db, ACCIONES, id, quien))!.filas.map(({ estado, motivo }) => [estado, motivo]);
const lettersOf = (facturaId: string) =>
  db
    .selectFrom('effectSubject')
    .innerJoin('effect', 'effect.id', 'effectSubject.effectId')
    .where('entidadId', '=', facturaId)
    .where('type', '=', 'factura.mail')
    .select('batchId')
    .execute();

describe('the letter to customers', () => {
  test('is told of before it is sent: to whom it goes, and why to the others it does not', async () => {
    const [buena, cancelada, cancelando, sinCorreo] = [
      await buildFactura(db, { conceptos: [{ descripcion: 'Cámara', cantidad: '1', total: '116.00' }] }),
      await buildFactura(db, { estatus: 'cancelada' }),
      await buildFactura(db, { estatus: 'cancelando' }),
      await buildFactura(db, { emails: [] }),
    ];
    const id = await prepare('reenviar', [buena.id, cancelada.id, cancelando.id, sinCorreo.id]);
    expect(await statesOf(id)).toEqual([
      ['pendiente', null],
      ['fuera', 'La factura está cancelada o en proceso de cancelarse.'],
      ['fuera', 'La factura está cancelada o en proceso de cancelarse.'],
      ['fuera', 'La factura no tiene un correo de contacto.'],
    ]);
    const { suma, avance } = (await readPreparedBatch(db, ACCIONES, id, quien))!;
    expect(ACCIONES['reenviar']!.pregunta!(avance.total, suma).hechos).toBe(
      'Cada cliente recibe su PDF y su XML: 1 factura por $116.00 en total.',
    );
    expect(await lettersOf(buena.id), 'nobody said yes').toEqual([]);
  });

  test('goes out once for each, in the batch; one that is on its way is left out of the next', async () => {
    const [una, otra] = [await buildFactura(db), await buildFactura(db)];
    const id = await prepare('reenviar', [una.id, otra.id]);
    await run('reenviar', id);
    await runBatch(db, ACCIONES, id);
    for (const { id: facturaId } of [una, otra])
      expect(await lettersOf(facturaId)).toEqual([{ batchId: expect.any(String) }]);
    expect(await statesOf(await prepare('reenviar', [una.id]))).toEqual([
      ['fuera', 'El correo de esta factura ya va en camino.'],
    ]);
  });

  test('does not go where the addresses or the state are no longer those that were shown', async () => {
    const [movida, cancelada] = [await buildFactura(db), await buildFactura(db)];
    const id = await prepare('reenviar', [movida.id, cancelada.id]);
    await db
      .updateTable('factura')
      .set({ emails: ['otro@ejemplo.mx'] })
      .where('id', '=', movida.id)
      .execute();
    await db
      .updateTable('factura')
      .set({ estatus: 'cancelada', canceladaEn: new Date() })
      .where('id', '=', cancelada.id)
      .execute();
    await run('reenviar', id);
    const MOVIDA = 'Otra persona modificó este registro. Vuelve a cargarlo.';
    expect(await statesOf(id)).toEqual([
      ['fallida', MOVIDA],
      ['fallida', MOVIDA],
    ]);
    expect(await lettersOf(movida.id)).toEqual([]);
  });

  test('is no run where nobody qualifies', async () => {
    const cancelada = await buildFactura(db, { estatus: 'cancelada' });
    const id = await prepare('reenviar', [cancelada.id]);
    await expect(run('reenviar', id)).rejects.toThrow('Nada de lo que elegiste califica.');
    await expect(prepare('reenviar', [])).rejects.toThrow(NotAllowed);
    await expect(
      prepare(
        'reenviar',
        Array.from({ length: 2_001 }, () => cancelada.id),
      ),
    ).rejects.toThrow('Se eligieron más de 2000 facturas. Filtra la lista y hazlo por partes.');
  });
});

describe('PDF and XML of many', () => {
  test('come as one file with the folio and RFC of each; what the PAC did not hand over is named inside', async () => {
    const con = await buildFactura(db, { serie: 'Z', folio: 11, rfc: 'MEGJ800101QX1' });
    const sin = await buildFactura(db, { serie: 'Z', folio: 12, rfc: 'Ñ&A010101AB1', conPdf: false });
    const id = await prepare('archivos', [con.id, sin.id]);
    expect(await streamLote(db, id, quien), 'nobody began it').toBeUndefined();
    await run('archivos', id);
    expect(await statesOf(id)).toEqual([
      ['hecha', null],
      ['fallida', 'El PAC no entregó el PDF de esta factura.'],
    ]);
    const zip = (await streamLote(db, id, quien))!;
    expect(zip.nombre).toBe('Facturas (2).zip');
    const files = unzip(await buffer(zip.contenido));
    expect(Object.keys(files)).toEqual([
      'Z-11 MEGJ800101QX1.pdf',
      'Z-11 MEGJ800101QX1.xml',
      'Z-12 Ñ&A010101AB1.xml',
      'Faltantes.txt',
    ]);
    expect(files['Z-11 MEGJ800101QX1.pdf']).toBe(`%PDF-1.4 ${con.uuid}`);
    expect(files['Z-12 Ñ&A010101AB1.xml']).toContain(sin.uuid);
    expect(files['Faltantes.txt']).toContain('Z-12 Ñ&A010101AB1.pdf: El PAC no entregó el PDF de esta factura.');
  });

  test('say nothing of what lacks where nothing does, and are of who asked for them', async () => {
    const factura = await buildFactura(db, { serie: 'Z', folio: 13 });
    const id = await prepare('archivos', [factura.id]);
    await run('archivos', id);
    expect(Object.keys(unzip(await buffer((await streamLote(db, id, quien))!.contenido)))).not.toContain(
      'Faltantes.txt',
    );
    expect(await streamLote(db, id, otro)).toBeUndefined();
    expect(await streamLote(db, 'no-es-un-id', quien)).toBeUndefined();
    const correo = await prepare('reenviar', [factura.id]);
    expect(await streamLote(db, correo, quien), 'a letter is no file').toBeUndefined();
  });
});
