import type { LoaderFunctionArgs } from '@remix-run/node';
import { mayReadList } from '~/access/lists';
import { usuarioOf } from '~/access/session.server';
import { tableOf } from '~/core/table';
import type { Usuario } from '~/core/usuario';
import { clienteOf } from '~/routes/facturacion/receptores/record';
import { empresaOf } from '~/routes/personal/empresas/record';
import { facturaOf } from '~/routes/facturacion/facturas/record';
import { porRevisarOf } from '~/routes/facturacion/emision/record';
import { usuarioOfUrl } from '~/routes/personal/usuarios/record';
import { notaOf } from '../facturacion/notaSencilla/record';
import { envioOf } from '~/routes/ventas/envios/record';
import { productoOf } from '~/routes/compras/productos/record';
import { publicacionOf } from '~/routes/publicaciones/publicaciones/record';
import { cotizacionOf } from '~/routes/compras/cotizaciones/record';
import { pagoOf } from '~/routes/compras/pagos/record';
import { ordenOf } from '~/routes/ventas/ordenes/record';
import { pedidoOf } from '~/routes/compras/pedidos/record';
import { conciliadaOf, depositoOf, sueltoOf } from '~/routes/cierre/conciliacion/record';
import { piezaOf, recibirOf } from '~/routes/compras/stock/record';
import { reclamoOf } from '~/routes/atencion/reclamos/record';
import { questionOf, preguntasOfPublicacion } from '~/routes/atencion/preguntas/record';

type Leer = (id: string, search: URLSearchParams, usuario: Usuario) => Promise<object | null>;

/** The reader of one row for the panel, by list. */
const FICHAS: Readonly<Record<string, Leer>> = tableOf({
  ordenes: ordenOf,
  ordenesCanceladas: ordenOf,
  ordenesActivas: ordenOf,
  cotizarEnvios: ordenOf,
  llenarReporte: ordenOf,
  mensual: ordenOf,
  cotizaciones: cotizacionOf,
  pagosProveedores: pagoOf,
  'pagosProveedores.ordenes': cotizacionOf,
  ordenesPorConfirmar: pedidoOf,
  ordenesCT: pedidoOf,
  envios: envioOf,
  enviosPendientes: envioOf,
  facturasClientes: facturaOf,
  'facturasClientes.notas': facturaOf,
  notasSencillas: notaOf,
  datosFiscales: clienteOf,
  facturacion: porRevisarOf,
  empresas: empresaOf,
  usuarios: usuarioOfUrl,
  productos: productoOf,
  devoluciones: recibirOf,
  stockInterno: piezaOf,
  conciliacion: depositoOf,
  'conciliacion.ventas': conciliadaOf,
  'conciliacion.sueltos': sueltoOf,
  preguntas: questionOf,
  responderPreguntas: preguntasOfPublicacion,
  publicaciones: publicacionOf,
  reclamos: reclamoOf,
});

/** Answers one row of a list as JSON. A person who may read the list may open its rows. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { lista = '', id = '' } = params;
  const usuario = usuarioOf(context);
  const leer = Object.hasOwn(FICHAS, lista) && mayReadList(usuario, lista) ? FICHAS[lista] : undefined;
  const ficha = await leer?.(id, new URL(request.url).searchParams, usuario);
  if (!ficha) throw new Response('No existe.', { status: 404 });
  return Response.json(ficha, { headers: { 'Cache-Control': 'no-store' } });
}
