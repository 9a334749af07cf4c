import { randomUUID } from 'node:crypto';
import { parseWithZod } from '@conform-to/zod/v4';
import { data, redirect } from '@remix-run/node';
import { z } from 'zod';
import { can, requireRight } from '~/access/actions';
import { askFirst, isConfirmed } from '~/core/confirm';
import { flash } from '~/http/flash.server';
import { toWire, withParams } from '~/core/list';
import type { Answer } from '~/core/submission';
import { invalid, submit } from '~/http/submit.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import {
  applyReparto,
  discardCfdi,
  MAX_XML,
  readCfdisPropuestos,
  receiveCfdis,
  type Subido,
} from '~/domain/proveedores/cfdis.server';
import {
  NewProveedorFactura,
  ProveedorFacturaEditada,
  ProveedorFacturaEliminada,
  Reparto,
} from '~/domain/proveedores/proveedorFacturaForm';
import {
  createProveedorFactura,
  deleteProveedorFactura,
  readFacturasDeOrden,
  readProveedorFactura,
  updateProveedorFactura,
} from '~/domain/proveedores/proveedorFacturas.server';
import { listProveedores } from '~/domain/proveedores/proveedores.server';
import { db } from '~db/shared.server';
import { ABRE, editarFactura, eliminarFactura, ORDEN_AUSENTE } from './textos';

/**
 * The supplier invoices of one sale, for any screen that has sales: its loader calls `openProveedorFacturas`, its action hands over the forms
 * that `isProveedorFactura` knows, and it renders `ProveedorFacturaDialog`. `param` names the field of the address that carries the sale's id; one
 * that does not exist is a 404.
 */
export async function openProveedorFacturas(request: Request, usuario: Usuario, param: string = ABRE) {
  const search = new URL(request.url).searchParams;
  const named = search.get(param);
  if (!named) return null;
  const ordenId = z.uuid().safeParse(named).data;
  const deOrden = ordenId && (await readFacturasDeOrden(db(), ordenId));
  if (!deOrden) throw data(ORDEN_AUSENTE, { status: 404 });
  const cfdiIds = (search.get('cfdi') ?? '').split(',').filter((id) => z.uuid().safeParse(id).success);
  const [proveedores, cfdis] = await Promise.all([listProveedores(db()), readCfdisPropuestos(db(), cfdiIds)]);
  const editada = deOrden.facturas.find(({ id }) => id === search.get('editar')) ?? null;
  return toWire({
    ...deOrden,
    ordenId,
    proveedores,
    cfdis,
    editada,
    param,
    puedeAgregar: can(usuario, 'proveedorFacturas.agregar'),
    puedeEditar: can(usuario, 'proveedorFacturas.editar'),
  });
}

export type ProveedorFacturasAbiertas = NonNullable<Awaited<ReturnType<typeof openProveedorFacturas>>>;

export function isProveedorFactura(form: FormData): boolean {
  return String(form.get('accion')).startsWith('proveedorFactura.');
}

/** Answers the forms of the dialog and of the XML page, wherever they stand. */
export async function proveedorFacturaAction(request: Request, form: FormData, usuario: Usuario, param: string = ABRE) {
  const { search } = new URL(request.url);
  switch (form.get('accion')) {
    case 'proveedorFactura.agregar':
      return agregar(form, usuario, search, param);
    case 'proveedorFactura.editar':
      return editar(form, usuario, search, param);
    case 'proveedorFactura.eliminar':
      return eliminar(form, usuario, search, param);
    case 'proveedorFactura.xml':
      return recibir(form, usuario, search);
    case 'proveedorFactura.repartir':
      return repartir(form, usuario, search);
    default:
      return descartar(form, usuario, search);
  }
}

async function agregar(form: FormData, usuario: Usuario, search: string, param: string) {
  requireRight(usuario, 'proveedorFacturas.agregar');
  const submission = parseWithZod(form, { schema: NewProveedorFactura });
  const reply = { formId: 'proveedorFactura' };
  if (submission.status !== 'success') return invalid(submission, reply);
  const { value } = submission;
  const rest = withoutCfdi(search, value.cfdi);
  const to = rest
    ? withParams(search, { cfdi: rest })
    : withParams(search, { [param]: null, editar: null, cfdi: null });
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => createProveedorFactura(trx, value, usuario.id)),
    to,
    { ...reply, aviso: 'Se agrego la factura correctamente.' },
  );
}

async function editar(form: FormData, usuario: Usuario, search: string, param: string) {
  requireRight(usuario, 'proveedorFacturas.editar');
  const submission = parseWithZod(form, { schema: ProveedorFacturaEditada });
  const reply = { formId: 'proveedorFactura' };
  if (submission.status !== 'success') return invalid(submission, reply);
  const { value } = submission;
  if (!isConfirmed(form))
    return data<Answer>(
      askFirst(form, editarFactura((await readProveedorFactura(db(), value.id))?.folio ?? value.folio)),
    );
  const to = withParams(search, new URLSearchParams(search).has('editar') ? { editar: null } : { [param]: null });
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => updateProveedorFactura(trx, value, usuario.id)),
    to,
    { ...reply, aviso: 'Se edito la factura correctamente.' },
  );
}

async function eliminar(form: FormData, usuario: Usuario, search: string, param: string) {
  requireRight(usuario, 'proveedorFacturas.editar');
  const submission = parseWithZod(form, { schema: ProveedorFacturaEliminada });
  const reply = { formId: 'eliminar' };
  if (submission.status !== 'success') return invalid(submission, reply);
  const { value } = submission;
  if (!isConfirmed(form))
    return data<Answer>(askFirst(form, eliminarFactura((await readProveedorFactura(db(), value.id))?.folio ?? '')));
  const own = new URLSearchParams(search).get(param) === value.id;
  const to = withParams(search, { editar: null, ...(own ? { [param]: null } : {}) });
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => deleteProveedorFactura(trx, value, usuario.id)),
    to,
    {
      ...reply,
      aviso: 'Se elimino la factura correctamente.',
    },
  );
}

/** Documents read stay in the address, so the page with them can be reloaded. With one that could not be read the page says why and links to the others. */
async function recibir(form: FormData, usuario: Usuario, search: string) {
  requireRight(usuario, 'proveedorFacturas.agregar');
  const files = form.getAll('xml').filter((entry): entry is File => typeof entry !== 'string' && entry.size > 0);
  if (files.length === 0) return xmlAnswer('Elige al menos un archivo XML.', []);
  const subidos: Subido[] = [];
  // Size first: what is too large is not even copied.
  for (const file of files)
    subidos.push({
      nombre: file.name.slice(0, 120),
      contenido: file.size > MAX_XML ? Buffer.alloc(MAX_XML + 1) : Buffer.from(await file.arrayBuffer()),
    });
  const { leidos, rechazados } = await db()
    .transaction()
    .execute((trx) => receiveCfdis(trx, subidos, usuario.id));
  if (rechazados.length > 0)
    return xmlAnswer(rechazados.map(({ nombre, motivo }) => `${nombre}: ${motivo}`).join(' '), leidos);
  const aviso = leidos.length === 1 ? 'Se leyó la factura.' : `Se leyeron ${leidos.length} facturas.`;
  return redirect(withParams(search, { cfdi: [...new Set(leidos)].join(','), editar: null }), {
    headers: { 'Set-Cookie': await flash(aviso) },
  });
}

export type XmlAnswer = Answer & { leidos?: string[] };

function xmlAnswer(texto: string, leidos: string[]) {
  return data<XmlAnswer>(
    { status: 'error', error: { '': [texto] }, titulo: 'Error de carga.', id: randomUUID(), formId: 'xml', leidos },
    { status: 422 },
  );
}

async function repartir(form: FormData, usuario: Usuario, search: string) {
  requireRight(usuario, 'proveedorFacturas.agregar');
  const submission = parseWithZod(form, { schema: Reparto });
  const reply = { formId: `reparto-${String(form.get('cfdi'))}` };
  if (submission.status !== 'success') return invalid(submission, reply);
  const { value } = submission;
  const to = withParams(search, { cfdi: withoutCfdi(search, value.cfdi) || null });
  return submit(
    submission,
    () =>
      db()
        .transaction()
        .execute((trx) => applyReparto(trx, value, usuario.id)),
    to,
    {
      ...reply,
      aviso: (count) =>
        count === 1 ? 'Se agrego la factura correctamente.' : `Se agrego la factura correctamente a ${count} ordenes.`,
    },
  );
}

async function descartar(form: FormData, usuario: Usuario, search: string) {
  requireRight(usuario, 'proveedorFacturas.agregar');
  const id = z.uuid().safeParse(form.get('cfdi')).data;
  if (id)
    await db()
      .transaction()
      .execute((trx) => discardCfdi(trx, id, usuario.id));
  return redirect(withParams(search, { cfdi: withoutCfdi(search, id) || null }));
}

/** The documents of the address that are still to be looked at once one of them is done. */
const withoutCfdi = (search: string, done: string | undefined) =>
  (new URLSearchParams(search).get('cfdi') ?? '')
    .split(',')
    .filter((id) => id !== '' && id !== done)
    .join(',');
