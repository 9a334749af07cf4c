import { data } from '@remix-run/node';
import { can } from '~/access/actions';
import { toWire } from '~/core/list';
import { fetchConversacion } from '~/domain/atencion/preguntas/conversacion.server';
import { retratosOfOrden } from '~/domain/compras/catalogo/fotos.server';
import { openOrden } from '~/domain/operacion/ordenAbierta.server';
import type { Usuario } from '~/core/usuario';
import { proposeDireccion } from '~/domain/ventas/envios/propuesta.server';
import { guiaPorImprimir } from '~/domain/ventas/envios/traerGuia.server';
import { viewGuia } from '~/domain/ventas/envios/viewGuia.server';
import { afectadosOfCosto } from '~/domain/ventas/ordenes/afectados.server';
import { readDevuelta } from '~/domain/ventas/ordenes/devueltas.server';
import { readDinero } from '~/domain/ventas/libro/dinero.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { askedByScript } from '~/platform/lists/list.server';
import { destinatariosOf } from '~/domain/compras/directorio/proveedor';
import { readDirectorio } from '~/domain/compras/directorio/proveedores.server';
import { db } from '~db/shared.server';
import { proveedorFacturasIn } from '~/routes/compras/facturas/dialog';
import { ORDEN_AUSENTE } from '~/routes/compras/facturas/textos';

/** The parts of a sale that the panel edits or fetches, as the field `editar` of the address names them. */
const EDITA = ['envio', 'propuesta', 'costo', 'mensajes', 'guia'] as const;

/** Reads a sale for its panel, on every screen that lists sales; null when the id is unknown. */
export async function ordenOf(id: string, search: URLSearchParams, usuario: Usuario) {
  const orden = await openOrden(db(), id, EFFECTS);
  if (!orden) return null;
  const editar = EDITA.find((name) => name === search.get('editar')) ?? null;
  const { envio } = orden;
  const [dinero, devuelta, guia, porImprimir, propuesta, retratos] = await Promise.all([
    readDinero(db(), orden.id),
    orden.situacion === 'devuelta' ? readDevuelta(db(), orden.id) : null,
    envio && viewGuia(db(), orden),
    envio && guiaPorImprimir(db(), envio.id, usuario.id),
    envio?.propio ? proposeDireccion(db(), envio) : null,
    retratosOfOrden(db(), orden.id),
  ]);
  return {
    ...toWire(orden),
    /** Pictures of the articles, by their place. */
    alLado: { fotos: Object.fromEntries(retratos) },
    editar,
    ahora: new Date().toISOString(),
    dinero: dinero && toWire(dinero),
    devuelta: devuelta && toWire(devuelta),
    guia: guia && toWire(guia),
    porImprimir,
    propuesta,
    destinatarios: destinatariosOf(
      await readDirectorio(db()),
      orden.articulos.map(({ proveedor }) => proveedor),
    ),
    conversacion: editar === 'mensajes' ? await fetchConversacion(db(), orden.market, orden.numOrden) : null,
    afectados: editar === 'costo' ? await afectadosOfCosto(db(), orden.id) : null,
    puede: {
      operar: can(usuario, 'ordenes.operar'),
      pedir: can(usuario, 'pedidos.operar'),
      surtir: can(usuario, 'stock.operar'),
      reintentar: can(usuario, 'ordenes.reintentar'),
      resolver: can(usuario, 'pendientes.resolver'),
    },
  };
}

/** Reads the sale that `?ver=` names, for a page that is opened with it; an unknown one is a 404. A page that already stands reads the sale beside its list. */
export async function ordenIn(request: Request, usuario: Usuario) {
  const search = new URL(request.url).searchParams;
  const ver = search.get('ver');
  if (!ver || askedByScript(request)) return null;
  const orden = await ordenOf(ver, search, usuario);
  if (!orden) throw data(ORDEN_AUSENTE, { status: 404 });
  return orden;
}

/** Reads what every list of sales may show: the sale of the panel, and the invoices of its suppliers. */
export async function dialogosIn(request: Request, usuario: Usuario) {
  const [abierta, deProveedor] = await Promise.all([ordenIn(request, usuario), proveedorFacturasIn(request, usuario)]);
  return { abierta, deProveedor };
}

export type DialogosAbiertos = Awaited<ReturnType<typeof dialogosIn>>;
export type OrdenAbierta = NonNullable<Awaited<ReturnType<typeof ordenOf>>>;
