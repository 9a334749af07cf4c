import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { pauseConnection, resumeConnection } from '~/platform/connections/pause.server';
import { requestAgain } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { readCorrecciones } from '~/domain/facturacion/cancelacion/correcciones.server';
import { facturasPorAtender } from '~/domain/facturacion/cancelacion/porAtender.server';
import { followCancelacion, followCancelaciones } from '~/domain/facturacion/cancelacion/followCancelaciones.server';
import { lineaOfFactura } from '~/domain/facturacion/cancelacion/internal/lineaFactura.server';
import { buildVenta } from '../../../support/builders/ventas';
import { settle } from '../../../support/pac';
import { openDocumentos } from '../../../support/documentos';

const { db, sandbox, sa, facturar, cancelar, estatus, says, age, due } = await openDocumentos();
const now = () => new Date();

describe('what the SAT says late', () => {
  async function enProceso() {
    await sandbox.facturacom.cancelMode('in-process');
    const factura = await facturar(await buildVenta(db, { precios: ['2360.00'] }));
    await cancelar(factura.id);
    return factura;
  }

  test('a rejection of the first request is not that of the second', async () => {
    const factura = await enProceso();
    await sandbox.facturacom.settleCancel(factura.uuid, 'rejected');
    await followCancelacion(db, factura.id);
    await sandbox.facturacom.satDice(factura.uuid, 'Solicitud rechazada');
    await cancelar(factura.id);
    expect(await followCancelacion(db, factura.id)).toBe(false);
    expect(await estatus(factura.id)).toBe('cancelando');
    await sandbox.facturacom.satDice(factura.uuid, null);
    expect(await followCancelacion(db, factura.id)).toBe(false);
    await sandbox.facturacom.settleCancel(factura.uuid, 'accepted');
    expect(await followCancelacion(db, factura.id)).toBe(true);
    expect(await estatus(factura.id)).toBe('cancelada');
  });

  test('a rejection that goes on for more than a day is believed, and a late yes is still learnt for some days', async () => {
    const factura = await enProceso();
    await sandbox.facturacom.settleCancel(factura.uuid, 'rejected');
    await followCancelacion(db, factura.id);
    await sandbox.facturacom.satDice(factura.uuid, 'Solicitud rechazada');
    await cancelar(factura.id);
    await age(factura.id, 2);
    await due();
    expect(await followCancelaciones(db)).toBeGreaterThan(0);
    expect(await estatus(factura.id)).toBe('vigente');
    // It was taken for rejected, and the SAT has it after all.
    await sandbox.facturacom.satDice(factura.uuid, null);
    await due();
    await followCancelaciones(db);
    expect(await estatus(factura.id)).toBe('cancelando');
    await sandbox.facturacom.settleCancel(factura.uuid, 'accepted');
    await due();
    await followCancelaciones(db);
    expect(await estatus(factura.id)).toBe('cancelada');
  });

  test('after those days nobody asks any more', async () => {
    const factura = await enProceso();
    await sandbox.facturacom.settleCancel(factura.uuid, 'rejected');
    await followCancelacion(db, factura.id);
    await age(factura.id, 6);
    await due();
    const before = await db
      .selectFrom('cancelacion')
      .select('revisadaEn')
      .where('facturaId', '=', factura.id)
      .executeTakeFirstOrThrow();
    await followCancelaciones(db);
    expect(
      await db
        .selectFrom('cancelacion')
        .select('revisadaEn')
        .where('facturaId', '=', factura.id)
        .executeTakeFirstOrThrow(),
    ).toEqual(before);
  });

  test('a request that the SAT never got is shown after two days, and asked again by a person whose name stays', async () => {
    const factura = await enProceso();
    await sql`update cancelacion set vista_en = null where factura_id = ${factura.id}`.execute(db);
    await sandbox.facturacom.satDice(factura.uuid, '');
    await followCancelacion(db, factura.id);
    const otraVez = () => requestAgain(db, { facturaId: factura.id, usuarioId: sa.id, now: now() });
    expect(await says(otraVez())).toMatch(/ya no espera/);
    expect((await readCorrecciones(db, factura.id))!.cancelacion).toMatchObject({
      estado: 'enProceso',
      sinNoticia: false,
    });
    await age(factura.id, 3);
    await followCancelacion(db, factura.id);
    expect((await readCorrecciones(db, factura.id))!.cancelacion).toMatchObject({
      estado: 'enProceso',
      sinNoticia: true,
    });
    expect(await facturasPorAtender(db)).toContainEqual(
      expect.objectContaining({
        id: factura.id,
        folio: `${factura.serie}-${factura.folio}`,
        motivo: 'sinNoticia',
        otra: null,
      }),
    );
    expect(await otraVez()).toEqual({ effectId: expect.any(String) });
    await sandbox.facturacom.satDice(factura.uuid, null);
    await settle();
    expect(await estatus(factura.id)).toBe('cancelando');
    const linea = await lineaOfFactura(db, factura.id);
    expect(linea.find(({ texto }) => texto === 'El SAT no tiene la solicitud de cancelación')).toMatchObject({
      quien: 'Quien Factura',
    });
    expect(linea.filter(({ texto }) => texto === 'Cancelación solicitada')).toHaveLength(2);
    await sandbox.facturacom.settleCancel(factura.uuid, 'accepted');
    await followCancelacion(db, factura.id);
    expect(await estatus(factura.id)).toBe('cancelada');
  });

  test('what can no longer be asked goes back to standing, with the reason', async () => {
    const factura = await enProceso();
    await sql`update cancelacion set vista_en = null where factura_id = ${factura.id}`.execute(db);
    await sandbox.facturacom.satDice(factura.uuid, '');
    await age(factura.id, 3);
    await followCancelacion(db, factura.id);
    expect(
      await requestAgain(db, { facturaId: factura.id, usuarioId: sa.id, now: new Date('2030-01-01T00:00:00Z') }),
    ).toEqual({ impedimento: expect.stringMatching(/^El plazo para cancelar/) });
    expect(await estatus(factura.id)).toBe('vigente');
  });
});

test('while the PAC is paused a lost request is not taken for one', async () => {
  await sandbox.facturacom.cancelMode('in-process');
  const factura = await facturar(await buildVenta(db, { precios: ['2370.00'] }));
  await cancelar(factura.id);
  await db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
  await age(factura.id, 9);
  expect((await readCorrecciones(db, factura.id))!.cancelacion!.sinNoticia).toBe(false);
  await db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
});
