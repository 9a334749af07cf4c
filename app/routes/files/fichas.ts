import type { LoaderFunctionArgs } from '@remix-run/node';
import { mayReadList } from '~/access/lists';
import { usuarioOf } from '~/access/session.server';
import type { Usuario } from '~/core/usuario';
import { clienteOf } from '~/routes/facturacion/receptores/abierta';
import { empresaOf } from '~/routes/personal/empresas/abierta';
import { facturaOf } from '~/routes/facturacion/facturas/abierta';
import { usuarioOfUrl } from '~/routes/personal/usuarios/abierta';
import { notaOf } from '../facturacion/notaSencilla/abierta';
import { envioOf } from '~/routes/ventas/envios/dialogo';
import { productoOf } from '~/routes/compras/productos/abierta';
import { publicacionOf } from '~/routes/publicaciones/publicaciones/abierta';
import { cotizacionOf } from '~/routes/compras/cotizaciones/abierta';
import { pagoOf } from '~/routes/compras/pagos/abierta';
import { ordenOf } from '~/routes/ventas/ordenes/dialogos';
import { pedidoOf } from '~/routes/compras/pedidos/abierta';
import { conciliadaOf, depositoOf } from '~/routes/cierre/conciliacion/abierta';
import { piezaOf } from '~/routes/compras/stock/abierta';
import { reclamoOf } from '~/routes/atencion/reclamos/abierta';
import { questionOf, preguntasOfPublicacion } from '~/routes/atencion/preguntas/abierta';

type Leer = (id: string, search: URLSearchParams, usuario: Usuario) => Promise<object | null>;

/** What the panel of each list shows of one of its rows. */
const FICHAS: Readonly<Record<string, Leer>> = {
  ordenes: ordenOf,
  ordenesCanceladas: ordenOf,
  ordenesActivas: ordenOf,
  cotizarEnvios: ordenOf,
  llenarReporte: ordenOf,
  mensual: ordenOf,
  cotizaciones: cotizacionOf,
  pagosProveedores: pagoOf,
  ordenesPorConfirmar: pedidoOf,
  ordenesCT: pedidoOf,
  envios: envioOf,
  enviosPendientes: envioOf,
  facturasClientes: facturaOf,
  'facturasClientes.notas': facturaOf,
  notasSencillas: notaOf,
  datosFiscales: clienteOf,
  empresas: empresaOf,
  usuarios: usuarioOfUrl,
  productos: productoOf,
  stockInterno: piezaOf,
  conciliacion: depositoOf,
  'conciliacion.ventas': conciliadaOf,
  preguntas: questionOf,
  responderPreguntas: preguntasOfPublicacion,
  publicaciones: publicacionOf,
  reclamos: reclamoOf,
};

/** One row of a list whole, as JSON: who may read the list may open its rows. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { lista = '', id = '' } = params;
  const usuario = usuarioOf(context);
  const leer = Object.hasOwn(FICHAS, lista) && mayReadList(usuario, lista) ? FICHAS[lista] : undefined;
  const ficha = await leer?.(id, new URL(request.url).searchParams, usuario);
  if (!ficha) throw new Response('No existe.', { status: 404 });
  return Response.json(ficha, { headers: { 'Cache-Control': 'no-store' } });
}
