import { readMostrado } from '~/core/choque';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { civilDay } from '~/core/time';
import type { Rol } from '~/core/usuario';
import { cuantas, MAX_ELEGIDAS } from '~/platform/batches/batch';
import type { Accion, FilaVista } from '~/platform/batches/prepared.server';
import { canonicalJson, hashOf } from '~/platform/effects/effects.server';
import { CODIGO_SAT_GENERICO } from '~/domain/facturacion/cfdi/articulos';
import { SIN_DOCUMENTO, whyNotFacturable } from '~/domain/facturacion/cfdi/facturables.server';
import { etiquetaEn } from '~/domain/facturacion/sat/opciones';
import { FORMAS_PAGO, USOS } from '~/domain/facturacion/sat/sat';
import type { Trx } from '~db/client.server';
import { CONFIRMAR } from '../forms';
import { readPorRevisar, type PorRevisar } from '../draftSteps.server';
import { invoiceShown } from '../invoiceVenta.server';
import { CON_DATOS_FISCALES, NO_TIMBRADA } from '../porFacturar.server';

const FALLO = 'No se pudo pedir la factura.';

const readVentas = (trx: Trx, ids: readonly string[]) =>
  trx
    .selectFrom('orden')
    .select(['id', 'market', 'numOrden', 'titulo', 'clase', 'situacion', 'meliResale', 'pagadoAbs'])
    .select([SIN_DOCUMENTO.as('libre'), CON_DATOS_FISCALES.as('pide'), NO_TIMBRADA.as('noTimbrada')])
    .where('id', 'in', [...ids])
    .execute();
type Venta = Awaited<ReturnType<typeof readVentas>>[number];

/** Why a sale gets no factura from here, before its draft is read. */
function whyNotVenta(venta: Venta): string | null {
  const motivo = whyNotFacturable(venta);
  if (motivo) return motivo;
  if (!venta.libre) return 'La venta ya está facturada o en proceso de facturarse.';
  if (venta.pagadoAbs.compare(Money.zero) <= 0) return 'De la venta no quedó nada pagado.';
  if (venta.noTimbrada) return 'Ya se pidió y no se timbró: ábrela en Facturación.';
  return venta.pide ? null : 'El comprador no dio sus datos fiscales.';
}

/** Why a person has to see to the factura on its own screen. */
function whyNotAtOnce(por: PorRevisar | null): string | null {
  if (!por) return 'La venta ya no se puede facturar.';
  const { cliente, revision } = por;
  const { usoCfdi, formaPago } = revision.revision;
  if (cliente.modo !== 'lectura') return 'El cliente no está registrado: guárdalo en Facturación.';
  if (usoCfdi === '') return 'Ni el cliente ni el mercado dijeron el uso de CFDI.';
  if (formaPago === '') return 'El mercado no dijo la forma de pago.';
  if (revision.totales.total !== revision.pagado)
    return `Su factura suma ${enPesos(revision.totales.total)} y se pagaron ${enPesos(revision.pagado)}.`;
  return por.completa ? null : 'Hay algo que revisar en Facturación.';
}

/** Mark of a factura as its question showed it. The day is none of it: a factura has the day on which it is made. */
const marcaOf = (por: PorRevisar): string => {
  const { usoCfdi, formaPago } = por.revision.revision;
  return hashOf(canonicalJson({ ...por.visto, usoCfdi, formaPago, pagado: por.revision.pagado })).toString('hex');
};

async function personOf(trx: Trx, { usuarioId }: { usuarioId: string }): Promise<{ id: string; rol: Rol }> {
  return trx.selectFrom('usuario').select(['id', 'rol']).where('id', '=', usuarioId).executeTakeFirstOrThrow();
}

/**
 * Invoices many sales whose factura needs one press: receiver, use, payment form and rows are known, and add up to what was paid. All others are left
 * out with the reason.
 */
export const facturarVentas: Accion = {
  accion: 'facturar',
  boton: 'Facturar',
  // Each sale is read as its own screen reads it, in some milliseconds.
  most: MAX_ELEGIDAS,
  nombres: { una: 'venta', muchas: 'ventas', clave: 'No. Orden', titulo: 'Detalle' },
  pregunta: (n, suma) => ({
    ...CONFIRMAR,
    hechos: `Se ${n === 1 ? 'timbra' : 'timbran'} ${cuantas(n, 'factura', 'facturas')} por ${enPesos(suma.toFixed(2))} en total, con fecha de hoy.`,
  }),
  hecho: 'Las facturas se generaron correctamente.',
  fallo: FALLO,
  corrige: { boton: 'Corregir', pantalla: 'facturacion', campo: 'numOrden' },
  async look(trx, ids, _ahora, quien) {
    const usuario = await personOf(trx, quien);
    const byId = new Map((await readVentas(trx, ids)).map((venta) => [venta.id, venta]));
    const vistas = new Set<string>();
    const filas: FilaVista[] = [];
    for (const id of new Set(ids)) {
      const venta = byId.get(id);
      if (!venta) continue;
      const { market, numOrden } = venta;
      const repetida = vistas.has(`${market} ${numOrden}`);
      vistas.add(`${market} ${numOrden}`);
      const fuera = repetida ? 'Va en la factura de otra orden del mismo carrito.' : whyNotVenta(venta);
      const por = fuera === null ? await readPorRevisar(trx, id, usuario) : null;
      filas.push({
        id,
        clave: numOrden,
        titulo: por ? inWords(por) : venta.titulo,
        importe: por ? Money.of(por.revision.totales.total) : venta.pagadoAbs,
        visto: por ? marcaOf(por) : '',
        impedimento: fuera ?? whyNotAtOnce(por),
      });
    }
    return filas;
  },
  async lock(trx, id, quien) {
    await trx.selectFrom('orden').select('id').where('id', '=', id).forUpdate().execute();
    const por = await readPorRevisar(trx, id, await personOf(trx, quien));
    return por ? marcaOf(por) : undefined;
  },
  async apply(trx, id, { usuarioId }) {
    const usuario = await personOf(trx, { usuarioId });
    // `lock` saw a moment ago that it is what the question showed, and holds the sale.
    const { numOrden, visto, revision } = (await readPorRevisar(trx, id, usuario))!;
    const now = new Date();
    const mostrada = {
      numOrden,
      visto: { version: visto.version, mostrado: readMostrado(visto.mostrado), pagado: revision.pagado },
      revision: { ...revision.revision, fecha: civilDay(now) },
    };
    return [(await invoiceShown(trx, mostrada, usuario, now)).effectId];
  },
};

/** The receiver and what the SAT asks of the factura, in one line. */
const inWords = ({ cliente, revision: { revision }, genericos }: PorRevisar) =>
  [
    cliente.razonSocial,
    cliente.rfc,
    revision.usoCfdi && etiquetaEn(USOS, revision.usoCfdi),
    revision.formaPago && etiquetaEn(FORMAS_PAGO, revision.formaPago),
    genericos > 0 && `clave ${CODIGO_SAT_GENERICO}`,
  ]
    .filter(Boolean)
    .join(' · ');
