import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import type { Usuario } from '~/core/usuario';
import { listCfdisPendientes } from '~/domain/compras/facturas/cfdis.server';
import {
  noteDevuelto,
  discardNota,
  facturasParaNota,
  listNotas,
  removeUso,
  relateNotaByHand,
  detachNota,
  spendNota,
} from '~/domain/compras/facturas/notas.server';
import { deleteProveedorFactura, updateProveedorFactura } from '~/domain/compras/facturas/proveedorFacturas.server';
import { readDiot } from '~/domain/compras/pagos/diot.server';
import { lineasDelTxt } from '~/domain/compras/pagos/diot';
import { deudasPorProveedor } from '~/domain/compras/pagos/porPagar.server';
import { readDinero } from '~/domain/ventas/libro/dinero.server';
import { descuadradas } from '~/domain/ventas/libro/cuadreLibro.server';
import { openCuenta } from '../../../support/builders/cuentaDeProveedor';
import { cfdiDeProveedor, linkNuestroRfc } from '../../../support/builders/proveedores';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { xsdFaults } from '../../../support/xsd';

const { db } = testDatabase();
let ana: Usuario;
const { tx, recibir, orden, escena, factura, costo } = openCuenta(db, () => ana.id);
beforeAll(async () => {
  ana = await buildPersona(db, 'admin');
  await linkNuestroRfc(db);
});
const pesos = (text: string) => Money.of(text);
const laNota = async (proveedor: string) => (await listNotas(db, { proveedor, todas: true }))[0]!;
const deuda = async (proveedor: string) =>
  (await deudasPorProveedor(db)).find((una) => una.proveedor === proveedor)?.falta.toFixed(2);

test('the notes of these tests are valid by the SAT’s schema', async () => {
  const xml = cfdiDeProveedor({ tipo: 'E', relacionados: { tipoRelacion: '01', uuids: [randomUUID()] } });
  expect(await xsdFaults(xml)).toEqual([]);
});

describe('a note that names one invoice of ours', () => {
  test('lowers what is owed, the cost of the sale and nothing else, once by its UUID', async () => {
    const suyo = await escena();
    const una = await suyo.facturar();
    expect([await deuda(suyo.value), await costo(una.ordenId)]).toEqual(['116.00', '116.00']);
    const uuid = randomUUID();
    const primera = await suyo.notar([una.uuid], { uuid });
    const segunda = await suyo.notar([una.uuid], { uuid });
    expect(segunda.notas).toEqual(primera.notas);
    expect([primera.facturas, primera.complementos]).toEqual([[], []]);
    expect(await factura(una.id)).toEqual(['116.00', '0.00', '23.20']);
    expect([await deuda(suyo.value), await costo(una.ordenId)]).toEqual(['92.80', '92.80']);
    const dinero = await readDinero(db, una.ordenId);
    expect(dinero!.costos.map(({ concepto, importe, fuente }) => [concepto, importe.toFixed(2), fuente])).toEqual([
      [expect.stringMatching(/^Costo: /), '-116.00', 'factura'],
      [expect.stringMatching(/^Nota de crédito: /), '23.20', 'nota'],
    ]);
    expect(await descuadradas(db, [una.ordenId])).toEqual([]);
    expect((await listCfdisPendientes(db)).map(({ id }) => id)).not.toContain(primera.notas[0]);
    expect(await listNotas(db, { proveedor: suyo.value })).toEqual([]);
  });

  test('is covered by no payment: what is paid beyond it stays on the payment', async () => {
    const suyo = await escena();
    const una = await suyo.facturar();
    await suyo.notar([una.uuid]);
    await suyo.pagar('2026-11-20', '116.00', { [una.ordenId]: null });
    expect(await factura(una.id)).toEqual(['116.00', '92.80', '23.20']);
    expect(await deuda(suyo.value)).toBeUndefined();
  });

  test('waits for its invoice when it comes before it', async () => {
    const suyo = await escena();
    const uuid = randomUUID().toUpperCase();
    await suyo.notar([uuid]);
    expect((await laNota(suyo.value)).porRelacionar.toFixed(2)).toBe('23.20');
    const una = await suyo.facturar({ uuid });
    expect(await factura(una.id)).toEqual(['116.00', '0.00', '23.20']);
  });
});

describe('a note that leaves a doubt is related by nobody', () => {
  test('of two sales of one document, until a person says how much of each', async () => {
    const suyo = await escena();
    const una = await suyo.facturar({ monto: '58.00' });
    const otra = await suyo.facturar({ uuid: una.uuid, folio: una.folio, monto: '58.00' });
    await suyo.notar([una.uuid]);
    const nota = await laNota(suyo.value);
    expect([nota.porRelacionar.toFixed(2), nota.facturas]).toEqual(['23.20', []]);
    const [ofrecida] = await facturasParaNota(db, nota.id);
    expect(ofrecida!.nombrada).toBe(true);
    const de = (id: string, falta: string) => ({ id, falta: pesos(falta) });
    const dicha = { nota: nota.id, queda: pesos('23.20'), factura: de(una.id, '58.00'), importe: '10.00' };
    await tx((trx) => relateNotaByHand(trx, dicha, ana.id));
    await expect(tx((trx) => relateNotaByHand(trx, dicha, ana.id))).rejects.toMatchObject({ name: 'Stale' });
    await tx((trx) =>
      relateNotaByHand(
        trx,
        { nota: nota.id, queda: pesos('13.20'), factura: de(otra.id, '58.00'), importe: '13.20' },
        ana.id,
      ),
    );
    expect([await costo(una.ordenId), await costo(otra.ordenId)]).toEqual(['48.00', '44.80']);
  });

  test('of an advance, of another issuer, or of more than the invoice', async () => {
    const suyo = await escena();
    const ajeno = await escena();
    const una = await suyo.facturar();
    await suyo.notar([una.uuid], { tipoRelacion: '07' });
    await ajeno.notar([una.uuid]);
    const mucho = { total: '232.00', conceptos: [{ descripcion: 'Todo', importe: '200.00', iva: '32.00' }] };
    await suyo.notar([una.uuid], mucho);
    expect(await factura(una.id)).toEqual(['116.00', '0.00', '0.00']);
    const grande = (await listNotas(db, { proveedor: suyo.value })).find(({ total }) => total.equals(pesos('232.00')))!;
    const dicha = { nota: grande.id, queda: pesos('232.00'), factura: { id: una.id, falta: pesos('116.00') } };
    await expect(tx((trx) => relateNotaByHand(trx, { ...dicha, importe: '116.01' }, ana.id))).rejects.toMatchObject({
      campo: 'importe',
    });
    const suya = (await listNotas(db, { proveedor: ajeno.value }))[0]!;
    await expect(
      tx((trx) => relateNotaByHand(trx, { ...dicha, nota: suya.id, queda: pesos('23.20'), importe: '1.00' }, ana.id)),
    ).rejects.toMatchObject({ campo: 'factura' });
  });

  test('and is discarded only while it is of no invoice', async () => {
    const suyo = await escena();
    const una = await suyo.facturar();
    await suyo.notar([una.uuid]);
    const nota = await laNota(suyo.value);
    await expect(tx((trx) => discardNota(trx, { nota: nota.id, queda: pesos('0.00') }, ana.id))).rejects.toThrow(
      /quita primero/,
    );
    await tx((trx) => detachNota(trx, { nota: nota.id, queda: pesos('0.00') }, ana.id));
    expect([await factura(una.id), await costo(una.ordenId)]).toEqual([['116.00', '0.00', '0.00'], '116.00']);
    await tx((trx) => discardNota(trx, { nota: nota.id, queda: pesos('23.20') }, ana.id));
    expect(await listNotas(db, { proveedor: suyo.value })).toEqual([]);
  });
});

describe('a note over what is owed', () => {
  async function pagada() {
    const suyo = await escena();
    const una = await suyo.facturar();
    await suyo.pagar('2026-10-15', '100.00', { [una.ordenId]: '100.00' });
    await suyo.notar([una.uuid], { fecha: '2026-11-05T10:00:00' });
    return { suyo, una, nota: await laNota(suyo.value) };
  }

  test('leaves a balance in favour of us, and the cost of the sale falls by all of it', async () => {
    const { una, nota } = await pagada();
    expect(await factura(una.id)).toEqual(['116.00', '100.00', '16.00']);
    expect([nota.aFavor.toFixed(2), await costo(una.ordenId)]).toEqual(['7.20', '92.80']);
  });

  test('pays another invoice of the same supplier, whose cost stays; and what is taken back is owed again', async () => {
    const { suyo, una, nota } = await pagada();
    const otra = await suyo.facturar();
    const usada = {
      nota: nota.id,
      queda: pesos('7.20'),
      factura: { id: otra.id, falta: pesos('116.00') },
      fecha: '2026-11-20',
    };
    await tx((trx) => spendNota(trx, usada, ana.id));
    expect([await factura(otra.id), await costo(otra.ordenId)]).toEqual([['116.00', '0.00', '7.20'], '116.00']);
    await expect(tx((trx) => detachNota(trx, { nota: nota.id, queda: pesos('0.00') }, ana.id))).rejects.toThrow(
      /ya se usó/,
    );
    const [uso] = (await laNota(suyo.value)).usos;
    await tx((trx) => removeUso(trx, { uso: uso!.id }, ana.id));
    expect(await factura(otra.id)).toEqual(['116.00', '0.00', '0.00']);
    expect(await factura(una.id)).toEqual(['116.00', '100.00', '16.00']);
  });

  test('is given back as money, and never more than it is', async () => {
    const { suyo, nota } = await pagada();
    const vuelta = { nota: nota.id, queda: pesos('7.20'), fecha: '2026-11-21', folio: 'SPEI 1' };
    await expect(tx((trx) => noteDevuelto(trx, { ...vuelta, importe: '7.21' }, ana.id))).rejects.toMatchObject({
      campo: 'importe',
    });
    await tx((trx) => noteDevuelto(trx, { ...vuelta, importe: '7.20' }, ana.id));
    expect(await listNotas(db, { proveedor: suyo.value })).toEqual([]);
  });

  test('keeps its invoice from being deleted or lowered', async () => {
    const { una } = await pagada();
    const { version, folio } = await db
      .selectFrom('proveedorFactura')
      .select(['version', 'folio'])
      .where('id', '=', una.id)
      .executeTakeFirstOrThrow();
    await expect(tx((trx) => deleteProveedorFactura(trx, { id: una.id, version }, ana.id))).rejects.toThrow(
      /notas de crédito/,
    );
    const { proveedor } = await db
      .selectFrom('proveedorFactura')
      .select('proveedor')
      .where('id', '=', una.id)
      .executeTakeFirstOrThrow();
    await expect(
      tx((trx) => updateProveedorFactura(trx, { id: una.id, version, proveedor, folio, monto: '10.00' }, ana.id)),
    ).rejects.toThrow(/notas de crédito/);
  });
});

describe('the DIOT', () => {
  test('takes off what had been paid, in the month of the note; what was owed was never paid', async () => {
    const suyo = await escena();
    const una = await suyo.facturar();
    const otra = await suyo.facturar();
    await suyo.pagar('2045-03-10', '116.00', { [una.ordenId]: '116.00' });
    await suyo.pagar('2045-03-11', '92.80', { [otra.ordenId]: '92.80' });
    await suyo.notar([una.uuid]);
    await suyo.notar([otra.uuid]);
    await db
      .updateTable('proveedorCfdi')
      .set({ fecha: new Date('2045-03-20T18:00:00Z') })
      .where('tipo', '=', 'E')
      .where('proveedor', '=', suyo.value)
      .execute();
    const { filas, faltas } = await readDiot(db, '2045-03');
    expect(faltas).toEqual([]);
    expect(JSON.parse(JSON.stringify(filas))).toMatchObject([
      { pagado: '208.80', cifras: { base16: '180.00', iva16: '25.60', devuelto16: '20.00' } },
    ]);
    const columnas = lineasDelTxt(filas)[0]!.split('|');
    expect([columnas[11], columnas[12], columnas[21]]).toEqual(['180', '20', '26']);
  });

  test('tells what a note gives back beyond what its month paid', async () => {
    const suyo = await escena();
    const una = await suyo.facturar();
    await suyo.pagar('2046-03-10', '116.00', { [una.ordenId]: '116.00' });
    await suyo.notar([una.uuid]);
    await db
      .updateTable('proveedorCfdi')
      .set({ fecha: new Date('2046-04-20T18:00:00Z') })
      .where('tipo', '=', 'E')
      .where('proveedor', '=', suyo.value)
      .execute();
    const { filas, faltas, sinSaber } = await readDiot(db, '2046-04');
    expect(filas).toEqual([]);
    expect(sinSaber!.toFixed(2)).toBe('0.00');
    expect(faltas.map(({ motivo, importe }) => [motivo, importe!.toFixed(2)])).toEqual([['notaDeMas', '23.20']]);
  });

  test('counts an invoice that a balance paid as paid on that day', async () => {
    const suyo = await escena();
    const una = await suyo.facturar();
    await suyo.pagar('2047-01-10', '116.00', { [una.ordenId]: '116.00' });
    await suyo.notar([una.uuid]);
    const otra = await suyo.facturar();
    const nota = await laNota(suyo.value);
    const usada = {
      nota: nota.id,
      queda: pesos('23.20'),
      factura: { id: otra.id, falta: pesos('116.00') },
      fecha: '2047-05-09',
    };
    await tx((trx) => spendNota(trx, usada, ana.id));
    const { filas } = await readDiot(db, '2047-05');
    expect(JSON.parse(JSON.stringify(filas))).toMatchObject([
      { pagado: '23.20', cifras: { base16: '20.00', iva16: '3.20' } },
    ]);
  });
});

test('a note of zero pesos, and a document that is none of the three, are refused with the reason', async () => {
  const cero = await recibir(
    cfdiDeProveedor({ tipo: 'E', total: '0.00', conceptos: [{ descripcion: 'Nada', importe: '0.00', iva: '0.00' }] }),
  );
  expect(cero.rechazados[0]!.motivo).toMatch(/cero pesos/);
  const traslado = await recibir(cfdiDeProveedor({ tipo: 'T' }));
  expect(traslado.rechazados[0]!.motivo).toMatch(/No es una factura, una nota/);
  expect(await orden()).toBeTruthy();
});
