import { randomUUID } from 'node:crypto';
import { readCfdisPropuestos, receiveCfdis } from '~/domain/compras/facturas/cfdis.server';
import { createProveedorFactura } from '~/domain/compras/facturas/proveedorFacturas.server';
import type { Db, Trx } from '~db/client.server';
import {
  buildOrdenDe,
  cfdiDeProveedor,
  complementoDeProveedor,
  type CfdiSketch,
  type DoctoSketch,
} from './proveedores';

let hechos = 0;

/** Opens the account of suppliers: each `escena` is a supplier with an RFC of its own, whose XML are read as people drop them. */
export function openCuenta(db: Db, usuarioId: () => string) {
  const tx = <T>(run: (trx: Trx) => Promise<T>) => db.transaction().execute(run);
  const recibir = (xml: string) =>
    tx((trx) => receiveCfdis(trx, [{ nombre: 'a.xml', contenido: Buffer.from(xml) }], usuarioId()));
  const orden = async () => (await buildOrdenDe(db, [{ modelo: randomUUID().slice(0, 8) }])).id;

  async function escena() {
    const at = ++hechos;
    const value = `nota${at}`;
    const rfc = `NOT2401${String(at).padStart(2, '0')}AB1`;
    await db
      .insertInto('proveedor')
      .values({ value, label: `Proveedor ${at}`, rfc })
      .execute();

    /** An invoice of 116.00 unless the sketch says otherwise, tied to a sale. */
    async function facturar(sketch: CfdiSketch & { ordenId?: string; monto?: string } = {}) {
      const { ordenId = await orden(), monto, uuid = randomUUID().toUpperCase(), ...xml } = sketch;
      const folio = sketch.folio ?? randomUUID().slice(0, 8);
      const { leidos } = await recibir(cfdiDeProveedor({ rfc, serie: '', folio, uuid, ...xml }));
      return tx(async (trx) => {
        const [cfdi] = await readCfdisPropuestos(trx, leidos);
        const nueva = { ordenId, proveedor: value, folio, monto: monto ?? cfdi!.total.toFixed(2), cfdi: cfdi!.id };
        const { id } = await createProveedorFactura(trx, nueva, usuarioId(), { rfc: true });
        return { id, ordenId, cfdi: cfdi!.id, uuid, folio };
      });
    }
    /** A note of 23.20 unless the sketch says otherwise. */
    const notar = (uuids: string[], sketch: CfdiSketch & { tipoRelacion?: string } = {}) => {
      const { tipoRelacion = '01', ...xml } = sketch;
      return recibir(
        cfdiDeProveedor({
          rfc,
          tipo: 'E',
          folio: randomUUID().slice(0, 8),
          total: '23.20',
          conceptos: [{ descripcion: 'Bonificación', importe: '20.00', iva: '3.20' }],
          relacionados: { tipoRelacion, uuids },
          ...xml,
        }),
      );
    };
    async function pagar(fecha: string | null, total: string | null, ordenes: Record<string, string | null>) {
      const { id } = await db
        .insertInto('pago')
        .values({ proveedor: value, folio: randomUUID().slice(0, 8), fecha, total })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (Object.keys(ordenes).length > 0)
        await db
          .insertInto('pagoOrden')
          .values(Object.entries(ordenes).map(([ordenId, monto]) => ({ pagoId: id, ordenId, monto })))
          .execute();
      return id;
    }
    const complementar = (fecha: string, doctos: DoctoSketch[], uuid?: string) =>
      recibir(complementoDeProveedor({ rfc, pagos: [{ fecha, doctos }], ...(uuid && { uuid }) }));
    return { value, rfc, facturar, notar, pagar, complementar };
  }

  const factura = (id: string) =>
    db
      .selectFrom('proveedorFactura')
      .select(['monto', 'pagada', 'acreditada'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
      .then(({ monto, pagada, acreditada }) => [monto, pagada, acreditada].map((amount) => amount.toFixed(2)));
  const costo = async (ordenId: string) =>
    (
      await db.selectFrom('libroVenta').select('costo').where('ordenId', '=', ordenId).executeTakeFirstOrThrow()
    ).costo?.toFixed(2);
  return { tx, recibir, orden, escena, factura, costo };
}
