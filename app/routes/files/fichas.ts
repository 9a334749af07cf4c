import type { LoaderFunctionArgs } from '@remix-run/node';
import { mayReadList } from '~/access/lists';
import { usuarioOf } from '~/access/session.server';
import type { Usuario } from '~/core/usuario';
import { clienteDe } from '~/routes/facturacion/receptores/abierta';
import { empresaDe } from '~/routes/personal/empresas/abierta';
import { facturaDe } from '~/routes/facturacion/facturas/abierta';
import { usuarioDe } from '~/routes/personal/usuarios/abierta';
import { notaDe } from '../facturacion/notaSencilla/abierta';
import { envioDe } from '~/routes/ventas/envios/dialogo';
import { productoDe } from '~/routes/compras/productos/abierta';
import { publicacionDe } from '~/routes/publicaciones/publicaciones/abierta';
import { cotizacionDe } from '~/routes/compras/cotizaciones/abierta';
import { pagoDe } from '~/routes/compras/pagos/abierta';
import { ordenDe } from '~/routes/ventas/ordenes/dialogos';
import { pedidoDe } from '~/routes/compras/pedidos/abierta';
import { conciliadaDe, depositoDe } from '~/routes/cierre/conciliacion/abierta';
import { piezaDe } from '~/routes/compras/stock/abierta';
import { reclamoDe } from '~/routes/atencion/reclamos/abierta';
import { preguntaDe, preguntasDePublicacion } from '~/routes/atencion/preguntas/abierta';

type Leer = (id: string, search: URLSearchParams, usuario: Usuario) => Promise<object | null>;

/** What the panel of each list shows of one of its rows. */
const FICHAS: Readonly<Record<string, Leer>> = {
  ordenes: ordenDe,
  ordenesCanceladas: ordenDe,
  ordenesActivas: ordenDe,
  cotizarEnvios: ordenDe,
  llenarReporte: ordenDe,
  mensual: ordenDe,
  cotizaciones: cotizacionDe,
  pagosProveedores: pagoDe,
  ordenesPorConfirmar: pedidoDe,
  ordenesCT: pedidoDe,
  envios: envioDe,
  enviosPendientes: envioDe,
  facturasClientes: facturaDe,
  'facturasClientes.notas': facturaDe,
  notasSencillas: notaDe,
  datosFiscales: clienteDe,
  empresas: empresaDe,
  usuarios: usuarioDe,
  productos: productoDe,
  stockInterno: piezaDe,
  conciliacion: depositoDe,
  'conciliacion.ventas': conciliadaDe,
  preguntas: preguntaDe,
  responderPreguntas: preguntasDePublicacion,
  publicaciones: publicacionDe,
  reclamos: reclamoDe,
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
