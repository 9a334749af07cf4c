import { expect, test } from 'vitest';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';
import { setEmpresaActiva } from '~/domain/personal/empresas.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { reconcilePac, markRestaurada } from '~/domain/operacion/mantenimiento/restauracion.server';
import { NewCfdi } from '~/integrations/facturacom/nouns';
import { createFacturacomWriter } from '~/integrations/facturacom/write.server';
import { buildOrden } from '../../../support/builders/mes';
import { buildBorrador, REVISION, type Venta } from '../../../support/builders/ventas';
import { openDocumentos } from '../../../support/documentos';

const { db, sandbox, sa, mes, facturar, global, unaVenta, ventaDe, claimsOf, says } = await openDocumentos();
const { apiKey, secretKey } = await sandbox.facturacom.keys();
const writer = createFacturacomWriter({ baseUrl: process.env.FACTURACOM_URL!, apiKey, secret: secretKey });

// The first of each kind is known; the others are made at the PAC by a machine that is gone.
const conocida = await facturar(await unaVenta('116.00'));
await unaVenta('232.00');
await unaVenta('348.00');
await global();
const otraMaquina = async (tipo: 'cfdi.stamp' | 'cfdi.global', ref: string, change: (cfdi: NewCfdi) => NewCfdi) => {
  const { request } = await db
    .selectFrom('effect')
    .select('request')
    .where('type', '=', tipo)
    .executeTakeFirstOrThrow();
  const { cfdi } = request as { cfdi: unknown };
  const made = await writer.createCfdi(change(NewCfdi.parse(cfdi)), ref);
  if (made.kind === 'exists') throw new Error(`the PAC had ${ref} already`);
  return { uuid: made.uuid, folio: `${made.serie}-${made.folio}` };
};
await markRestaurada(db, EFFECTS, { nombre: 'prueba', sabeHasta: new Date() });

const conciliar = async () => reconcilePac(db, await connectPacReader(db));
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
const llega = async (marketId: string, precio: string) =>
  ventaDe(await buildOrden(db, { fecha: new Date(Date.now() - 60_000), precio, marketId }));

test('the PAC is not resumed before it was reconciled', async () => {
  const { id, version, activo } = await db
    .selectFrom('empresa')
    .select(['id', 'version', 'activo'])
    .where('conexion', '=', 'facturacom')
    .executeTakeFirstOrThrow();
  // Its button is the one that resumes.
  expect(activo).toBe(false);
  const resume = () =>
    says(db.transaction().execute((trx) => setEmpresaActiva(trx, sa, { id, version, activo: true })));
  expect(await resume()).toContain('todavía no sabe qué se timbró desde entonces');
  expect(await conciliar()).toMatchObject({ adoptadas: [], inexplicadas: [] });
  expect(await resume()).toBe('');
});

test('a factura of a sale that is not here is named with what to do; when the sale comes nobody stamps it again', async () => {
  const made = await otraMaquina('cfdi.stamp', '2000881111111111', (cfdi) => cfdi);
  const { inexplicadas } = await conciliar();
  expect(inexplicadas).toEqual([
    `${made.folio} (${made.uuid}): no hay una venta con el número «2000881111111111»: activa el marketplace en Empresas para que llegue y concilia otra vez (npm run restaurar -- --conciliar)`,
  ]);

  const venta = await llega('2000881111111111', '116.00');
  expect(await facturarDeNuevo(venta)).toContain(`el CFDI ${made.folio} de esta venta`);
  expect(await conciliar()).toMatchObject({ adoptadas: [made.uuid], inexplicadas: [] });
  expect(await claimsOf(venta)).toEqual([{ kind: 'individual', facturaId: expect.any(String) }]);
  expect(await facturarDeNuevo(venta)).toContain('ya está facturada con el folio');
});

test('a global is adopted whole: while one of its sales is missing, none of them is invoiced', async () => {
  const aqui = await unaVenta('232.00');
  const made = await otraMaquina('cfdi.global', `GLOBAL-${mes}-2`, (cfdi) => ({
    ...cfdi,
    conceptos: cfdi.conceptos.map((concepto, at) => ({
      ...concepto,
      noIdentificacion: at === 0 ? aqui.numOrden : '2000882222222222',
    })),
  }));
  const { inexplicadas } = await conciliar();
  expect(inexplicadas).toEqual([expect.stringContaining('de sus 2 ventas 1 no están aquí (2000882222222222)')]);
  expect(await claimsOf(aqui)).toEqual([]);
  expect(await facturarDeNuevo(aqui)).toContain('falta adoptarlo');

  const llegada = await llega('2000882222222222', '348.00');
  expect(await conciliar()).toMatchObject({ adoptadas: [made.uuid], inexplicadas: [] });
  for (const venta of [aqui, llegada])
    expect(await claimsOf(venta)).toEqual([{ kind: 'global', facturaId: expect.any(String) }]);
});

test('a second CFDI under a reference that is known here is named, and takes nothing', async () => {
  await sandbox.facturacom.admiteRepetidos(true);
  const made = await otraMaquina('cfdi.stamp', conocida.numOrden!, (cfdi) => cfdi);
  const { adoptadas, inexplicadas } = await conciliar();
  expect(adoptadas).toEqual([]);
  expect(inexplicadas).toEqual([
    expect.stringMatching(
      new RegExp(`^${made.folio} .*tiene la misma referencia .*cancela en factura.com el que sobre$`),
    ),
  ]);
});
