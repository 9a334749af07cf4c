import { NotAllowed } from '~/core/errors';
import { civilDay } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';
import { cancelableOf } from '~/domain/facturacion/cancelacion/requestCancelacion.server';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import { clienteVacio, DraftArticulo, type DraftCliente } from './draft';
import { fromGuardado } from './draft.server';

const TITULO = 'Sustituir factura';

/**
 * 'Sustituir': opens a draft filled from a factura, so that only the wrong data are typed, and returns its id. The new CFDI carries the
 * relation 04 to the old one, which is cancelled with motive 01 once the new one is stamped. Throws NotAllowed for a document that may not
 * be replaced.
 */
export async function openSustitucion(db: Db, facturaId: string, usuarioId: string, now: Date): Promise<string> {
  const factura = await db
    .selectFrom('factura')
    .select([
      'id',
      'tipo',
      'market',
      'numOrden',
      'rfc',
      'razonSocial',
      'cp',
      'regimen',
      'usoCfdi',
      'formaPago',
      'emails',
      'clienteFiscalId',
    ])
    .where('id', '=', facturaId)
    .executeTakeFirst();
  if (!factura || factura.tipo !== 'individual' || factura.numOrden === null)
    throw new NotAllowed(TITULO, 'Solo la factura de una venta puede sustituirse.');
  const { impedimento, sustituto } = await cancelableOf(db, facturaId, now);
  if (impedimento) throw new NotAllowed(TITULO, impedimento);
  if (sustituto) throw new NotAllowed(TITULO, `La factura ${sustituto.folio} ya la sustituye.`);
  const open = await db
    .selectFrom('facturaDraft')
    .leftJoin('effect', 'effect.id', 'facturaDraft.effectId')
    .select('facturaDraft.id')
    .where('sustituyeId', '=', facturaId)
    .where('facturaDraft.usuarioId', '=', usuarioId)
    .where((eb) => eb.or([eb('effectId', 'is', null), eb('effect.state', 'in', ['refused', 'cancelled'])]))
    .executeTakeFirst();
  if (open) return open.id;
  const revision = { formaPago: factura.formaPago, usoCfdi: factura.usoCfdi, fecha: civilDay(now) };
  const { id } = await db
    .insertInto('facturaDraft')
    .values({
      numOrden: factura.numOrden,
      market: factura.market!,
      usuarioId,
      sustituyeId: facturaId,
      articulos: JSON.stringify(await articulosOf(db, facturaId)),
      cliente: JSON.stringify(await clienteOf(db, factura)),
      revision: JSON.stringify(revision),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * The factura that a draft replaces, locked until the transaction ends, so nobody cancels or credits it meanwhile. Undefined when it no
 * longer stands; throws NotAllowed when it has credit notes.
 */
export async function lockSustituida(trx: Trx, facturaId: string): Promise<{ id: string; uuid: string } | undefined> {
  const factura = await trx
    .selectFrom('factura')
    .select(['id', 'uuid', 'estatus'])
    .where('id', '=', facturaId)
    .forUpdate()
    .executeTakeFirst();
  if (factura?.estatus !== 'vigente') return undefined;
  const nota = await trx
    .selectFrom('notaCreditoOrden')
    .select('effectId')
    .where('facturaId', '=', facturaId)
    .limit(1)
    .executeTakeFirst();
  if (nota)
    throw new NotAllowed(TITULO, 'La factura que se sustituye tiene notas de crédito vigentes: cancélalas primero.');
  return { id: factura.id, uuid: factura.uuid };
}

/** The concepts of a factura as rows of the editable table, each with the amount it charged. */
async function articulosOf(db: Db, facturaId: string): Promise<Articulo[]> {
  const conceptos = await db
    .selectFrom('facturaConcepto')
    .select([
      'ordenId',
      'claveProdServ',
      'noIdentificacion',
      'cantidad',
      'claveUnidad',
      'descripcion',
      'importe',
      'iva',
      'tasaIva',
    ])
    .where('facturaId', '=', facturaId)
    .orderBy('posicion')
    .execute();
  return conceptos.map(
    ({ ordenId, claveProdServ, noIdentificacion, cantidad, claveUnidad, descripcion, importe, iva, tasaIva }) => {
      const piezas = Number(cantidad.toFixed(0));
      const total = importe.plus(iva).cents();
      return DraftArticulo.parse({
        ...(ordenId && { ordenId }),
        nombre: descripcion,
        codigoSat: claveProdServ,
        claveUnidad,
        cantidad: piezas,
        precioUnitario: total.dividedBy(piezas).toFixed(2),
        importe: total.toFixed(2),
        ...(noIdentificacion && { sku: noIdentificacion }),
        tasaIva: tasaIva.toFixed(6),
      });
    },
  );
}

type Receptor = {
  rfc: string;
  razonSocial: string;
  cp: string;
  regimen: string;
  usoCfdi: string;
  emails: string[];
  clienteFiscalId: string | null;
};

async function clienteOf(db: Db, factura: Receptor): Promise<DraftCliente> {
  const guardados = await findClientes(db, factura.rfc);
  const guardado =
    guardados.find(({ id }) => id === factura.clienteFiscalId) ??
    guardados.find(({ razonSocial }) => razonSocial === factura.razonSocial);
  if (guardado) return { ...fromGuardado(factura.rfc, guardado, guardados, 'registro'), usoCfdi: factura.usoCfdi };
  const { rfc, razonSocial, cp, regimen, usoCfdi, emails } = factura;
  return { ...clienteVacio(), rfc, razonSocial, cp, regimen, usoCfdi, emails, origen: 'registro' };
}
