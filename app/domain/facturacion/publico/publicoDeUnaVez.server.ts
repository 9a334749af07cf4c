import { readMostrado } from '~/core/choque';
import { NotAllowed, Saturated } from '~/core/errors';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';
import { findDraftOfEnlace, proposeArticulos, reopenDraft } from '~/domain/facturacion/emision/draft.server';
import type { Visto } from '~/domain/facturacion/emision/draft';
import type { Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { maskEmail } from './internal/maskEmail';
import { findClientes } from '~/domain/facturacion/receptores/clientes.server';
import { sameReceptor } from '~/domain/facturacion/receptores/receptor.server';
import type { Db } from '~db/client.server';
import { readPublico, type EstadoPublico, type VistaPublica } from './publico.server';
import {
  choosePublico,
  createFacturaPublica,
  lookUpPublico,
  ordenesOfEnlace,
  savePublico,
  SIN_DRAFT,
  type EscritoPublico,
} from './publicoDraft.server';
import { takeRfc } from './internal/publicoRfc.server';
import { mostradoPublico } from './internal/publicoVisto';

/** The marks of the draft as it stands, about which a program without pages decides. */
async function currentVisto(db: Db, enlace: Enlace): Promise<Visto> {
  const draft = await findDraftOfEnlace(db, enlace.id);
  return { version: draft?.version ?? SIN_DRAFT, mostrado: draft ? mostradoPublico(draft.cliente) : {} };
}

/** The records of an RFC for a program without pages, with masked e-mail addresses. Throws as `takeRfc`: the look-up counts against the limits of a page. */
export async function searchPublico(db: Db, enlace: Enlace, text: string, ip: string) {
  const rfc = await takeRfc(db, enlace, text, ip);
  const hallados = await findClientes(db, rfc);
  return hallados.map(({ razonSocial, cp, regimen, emails }) => ({
    rfc,
    razonSocial,
    cp,
    regimen,
    emails: emails.map(maskEmail),
  }));
}

/**
 * Saves the receiver of a sale at once, as the page does. With `usarRegistrado` its e-mail addresses are those on record, which takes a
 * look-up of the RFC. Returns and throws as `savePublico`.
 */
export async function savePublicoAtOnce(db: Db, enlace: Enlace, escrito: EscritoPublico, ip: string): Promise<boolean> {
  if (escrito.usarRegistrado) {
    await lookUpPublico(db, enlace, { ...(await currentVisto(db, enlace)), rfc: escrito.rfc }, ip);
    const opciones = (await findDraftOfEnlace(db, enlace.id))?.cliente?.opciones ?? [];
    const suya = opciones.findIndex(({ razonSocial }) => razonSocial === escrito.razonSocial);
    if (opciones.length > 1 && suya >= 0)
      await choosePublico(db, enlace, { ...(await currentVisto(db, enlace)), razon: String(suya) });
  }
  return savePublico(db, enlace, { ...escrito, ...(await currentVisto(db, enlace)) }, ip);
}

/** The ordenes of a link as its customer may see them. Throws NotAllowed when the sale cannot be invoiced, in the words of the page. */
export async function ventaOfEnlace(
  db: Db,
  enlace: Enlace,
): Promise<{ marketId: string; fechaCreacion: Date; pagado: string; articulos: Articulo[] }[]> {
  requireFacturable((await readPublico(db, enlace, null)).vista);
  const ordenes = await ordenesOfEnlace(db, enlace);
  const articulos = await proposeArticulos(db, ordenes);
  return ordenes.map(({ id, marketId, fechaCreacion, pagadoAbs }) => ({
    marketId,
    fechaCreacion,
    pagado: pagadoAbs.toFixed(2),
    articulos: articulos.filter(({ ordenId }) => ordenId === id),
  }));
}

function requireFacturable(vista: VistaPublica): void {
  if (vista.tipo === 'aviso' || vista.tipo === 'ajena') throw new NotAllowed('Aviso', vista.texto);
}

/**
 * Does the two steps of a page at once and returns the outcome; a sale whose factura was asked for returns that one's. Throws as the steps
 * do, and Saturated while the PAC has not confirmed the receiver.
 */
export async function invoicePublico(
  db: Db,
  enlace: Enlace,
  { cliente, usoCfdi }: { cliente: EscritoPublico | null; usoCfdi: string },
  { ip, now }: { ip: string; now: Date },
): Promise<EstadoPublico> {
  const antes = (await readPublico(db, enlace, '2', now)).vista;
  requireFacturable(antes);
  if (antes.tipo === 'resultado' && antes.estado.tipo !== 'rechazada') return antes.estado;
  const draft = await findDraftOfEnlace(db, enlace.id);
  if (antes.tipo === 'resultado' && draft) await reopenDraft(db, draft);
  const guardado = draft?.cliente;
  const known =
    guardado?.modo === 'lectura' && cliente !== null && guardado.rfc === cliente.rfc && sameReceptor(guardado, cliente);
  if (cliente !== null && !known && !(await savePublicoAtOnce(db, enlace, cliente, ip)))
    throw new Saturated('factura.com todavía no confirma tus datos.', 5);
  const { vista } = await readPublico(db, enlace, '2', now);
  if (vista.tipo !== 'paso' || vista.paso !== '2')
    throw new NotAllowed('Facturación', 'Faltan tus datos de facturación. Escríbelos en el paso anterior.');
  const { version, mostrado } = vista.visto;
  await createFacturaPublica(db, enlace, { usoCfdi, version, mostrado: readMostrado(mostrado) }, now);
  const despues = (await readPublico(db, enlace, '2', now)).vista;
  return despues.tipo === 'resultado' ? despues.estado : { tipo: 'proceso', desde: '' };
}
