import { nombreOfMes } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import { textOfClaim, type ClaimOfNumber } from '~/domain/facturacion/cfdi/facturables.server';

/** The sentences for staff about a sale that another document covers: its author, and the next thing to do. */
export async function explainClaim(db: Db | Trx, claim: ClaimOfNumber): Promise<string> {
  if (claim.folio !== null) {
    return `${textOfClaim(claim)} ${claim.kind === 'global' ? 'Cuando el SAT la cancele, la orden quedará libre y se podrá facturar.' : 'Está en Facturas de clientes, donde se descarga, se reenvía o se sustituye.'}`;
  }
  if (claim.kind === 'global')
    return `${textOfClaim(claim)} Búscala otra vez cuando termine: entonces se podrá facturar a su cliente.`;
  const { state, deCliente, quien } = await courseOf(db, claim.effectId);
  const autor = deCliente
    ? 'El cliente ya pidió la factura de esta orden desde su enlace'
    : quien
      ? `${quien} ya pidió la factura de esta orden`
      : 'La factura de esta orden ya se pidió';
  if (state === 'manual')
    return `${autor} y el PAC no dio una respuesta clara: espera una decisión en Pendientes. No la captures otra vez; cuando se resuelva, búscala de nuevo.`;
  return `${autor} y se está timbrando. Búscala otra vez en unos segundos: si ya tiene folio no hay nada que hacer, y si el PAC la rechazó se podrá facturar aquí.`;
}

async function courseOf(db: Db | Trx, effectId: string) {
  const { state, enlaceId, nombre, apellidos } = await db
    .selectFrom('effect')
    .leftJoin('facturaDraft', 'facturaDraft.effectId', 'effect.id')
    .leftJoin('usuario', 'usuario.id', 'effect.usuarioId')
    .select(['effect.state', 'facturaDraft.enlaceId', 'usuario.nombre', 'usuario.apellidos'])
    .where('effect.id', '=', effectId)
    .executeTakeFirstOrThrow();
  return { state, deCliente: enlaceId !== null, quien: [nombre, apellidos].filter(Boolean).join(' ') };
}

/** The stamped globals that hold these ordenes, with their month. Each will owe a credit note when the sale is invoiced to its customer. */
export async function globalesOf(db: Db | Trx, ordenIds: string[]): Promise<{ folio: string; mes: string | null }[]> {
  const rows = await db
    .selectFrom('fiscalClaim')
    .innerJoin('factura', 'factura.id', 'fiscalClaim.facturaId')
    .leftJoin('globalNumero', 'globalNumero.effectId', 'factura.effectId')
    .select(['factura.serie', 'factura.folio', 'globalNumero.mes'])
    .distinct()
    .where('fiscalClaim.ordenId', 'in', ordenIds)
    .where('fiscalClaim.kind', '=', 'global')
    .where('factura.estatus', '=', 'vigente')
    .execute();
  return rows.map(({ serie, folio, mes }) => ({ folio: `${serie}-${folio}`, mes }));
}

/** The warning before a sale of a stamped global is invoiced to its customer. */
export function enGlobal({ folio, mes }: { folio: string; mes: string | null }): string {
  const del = mes === null ? '' : ` de ${nombreOfMes(mes)}`;
  return `La venta está en la factura global ${folio}${del}. Si la facturas, el cliente recibe su CFDI y la venta pasa a «Refacturacion» de su mes: su nota de crédito contra la global se emite en Facturación general.`;
}
