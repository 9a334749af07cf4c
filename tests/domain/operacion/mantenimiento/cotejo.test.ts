/** What somebody else did at the PAC is known here the next morning: a CFDI of one of our sales, and a cancellation. */
import { expect, test } from 'vitest';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { comparePac } from '~/domain/operacion/mantenimiento/cotejo.server';
import { cfdisDelPac } from '~/domain/operacion/mantenimiento/internal/condicionesDelPac.server';
import { NewCfdi } from '~/integrations/facturacom/nouns';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { pauseConnection, resumeConnection } from '~/platform/connections/pause.server';
import { buildBorrador, REVISION, type Venta } from '../../../support/builders/ventas';
import { openDocumentos } from '../../../support/documentos';

const { db, sandbox, sa, facturar, unaVenta, claimsOf, isFree, estatus, says } = await openDocumentos();
const { apiKey, secretKey } = await sandbox.facturacom.keys();
/** Somebody at the PAC's own page. */
const panel = createFacturacomWriter({ baseUrl: process.env.FACTURACOM_URL!, apiKey, secret: secretKey });

const primera = await facturar(await unaVenta('116.00'));
const timbrarAlla = async (ref: string) => {
  const { request } = await db
    .selectFrom('effect')
    .select('request')
    .where('type', '=', 'cfdi.stamp')
    .where('effect.id', '=', primera.effectId)
    .executeTakeFirstOrThrow();
  const made = await panel.createCfdi(NewCfdi.parse((request as { cfdi: unknown }).cfdi), ref);
  if (made.kind === 'exists') throw new Error(`the PAC had ${ref} already`);
  return { uid: made.uid, uuid: made.uuid, folio: `${made.serie}-${made.folio}` };
};
/** The night after: what was stamped today is left to its own effect. */
const cotejar = () => comparePac(db, undefined, new Date(Date.now() + 26 * 3_600_000));
const hallazgos = () =>
  db.selectFrom('cotejoHallazgo').select(['que', 'folio', 'resueltoEn']).orderBy('vistoEn', 'desc').execute();
const facturarDeNuevo = (venta: Venta) =>
  says(
    buildBorrador(db, venta, sa).then((draft) =>
      db.transaction().execute((trx) =>
        createFactura(trx, draft, {
          revision: REVISION(),
          diferenciaAceptada: true,
          usuarioId: sa.id,
          now: new Date(),
        }),
      ),
    ),
  );
const dice = async () => (await cfdisDelPac.mira(db))?.texto ?? '';

test('a month that says the same finds nothing, and a document of no sale of ours is only counted', async () => {
  await timbrarAlla('SERVICIO-77');
  const [mes] = await cotejar();
  expect(await hallazgos()).toEqual([]);
  expect(await db.selectFrom('cotejoMes').select(['conocidos', 'ajenos']).where('mes', '=', mes!).execute()).toEqual([
    { conocidos: 1, ajenos: 1 },
  ]);
  expect(await dice()).toBe('');
});

test('a CFDI that was stamped there for a sale is its factura from then on, once', async () => {
  const venta = await unaVenta('116.00');
  const { folio, uuid } = await timbrarAlla(venta.numOrden);
  // Today it may be one of ours that is still being kept.
  await comparePac(db);
  expect([await claimsOf(venta), await hallazgos()]).toEqual([[], []]);
  await cotejar();
  expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: expect.any(String) as string }]);
  expect(await facturarDeNuevo(venta)).toContain('ya está facturada con el folio');
  expect(await dice()).toBe(`En factura.com se timbraron fuera de aquí ${folio}: ya facturan su venta.`);
  await cotejar();
  expect(await db.selectFrom('factura').select('id').where('uuid', '=', uuid).execute()).toHaveLength(1);
  expect(await hallazgos()).toEqual([{ que: 'adoptado', folio, resueltoEn: expect.any(Date) as Date }]);
});

test('a second one for an invoiced sale is named with its reason, until it is cancelled there', async () => {
  const venta = await unaVenta('116.00');
  await facturar(venta);
  await sandbox.facturacom.admiteRepetidos(true);
  const { uid, folio } = await timbrarAlla(venta.numOrden);
  await sandbox.facturacom.admiteRepetidos(false);
  await cotejar();
  expect(await cfdisDelPac.mira(db)).toMatchObject({
    nivel: 'grave',
    texto: expect.stringMatching(new RegExp(`${folio} \\(aquí otro CFDI tiene la misma referencia`)) as string,
  });
  expect(await db.selectFrom('cfdiPorAdoptar').select('folio').execute()).toEqual([{ folio }]);
  await panel.cancelCfdi(uid, { motivo: '02' });
  await cotejar();
  expect(await db.selectFrom('cfdiPorAdoptar').select('folio').execute()).toEqual([]);
  expect(await dice()).not.toContain(folio);
});

test('a cancellation that was made there frees its sale here, once the SAT says so', async () => {
  const venta = await unaVenta('116.00');
  const factura = await facturar(venta);
  await panel.cancelCfdi(factura.uid, { motivo: '02' });
  expect([await estatus(factura.id), await isFree(venta)]).toEqual(['vigente', false]);
  await cotejar();
  expect([await estatus(factura.id), await isFree(venta)]).toEqual(['cancelada', true]);
  expect(await dice()).toContain(`se cancelaron fuera de aquí ${factura.serie}-${factura.folio}`);
});

test('nothing is read while the PAC is paused, and a list that nobody read for days is told', async () => {
  await db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
  expect(await cotejar()).toEqual([]);
  await db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
  await db.deleteFrom('cotejoHallazgo').execute();
  await db
    .updateTable('cotejoMes')
    .set({ leidoEn: new Date(Date.now() - 5 * 86_400_000) })
    .execute();
  expect(await dice()).toBe('');
  await db
    .updateTable('factura')
    .set({ fechaTimbrado: new Date(Date.now() - 5 * 86_400_000) })
    .where('id', '=', primera.id)
    .execute();
  expect(await dice()).toBe('Hace más de 3 días que no se cotejan los CFDI con factura.com.');
});
