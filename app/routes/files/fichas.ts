import type { LoaderFunctionArgs } from '@remix-run/node';
import { mayReadList } from '~/access/lists';
import { usuarioOf } from '~/access/session.server';
import type { Usuario } from '~/domain/cuentas/usuario';
import { clienteDe } from '../catalogos/datosFiscales/abierta';
import { empresaDe } from '../catalogos/empresas/abierta';
import { facturaDe } from '../catalogos/facturasClientes/abierta';
import { usuarioDe } from '../catalogos/usuarios/abierta';
import { notaDe } from '../facturacion/notaSencilla/abierta';
import { envioDe } from '../parts/envios/dialogo';
import { productoDe } from '../parts/productos/abierta';
import { publicacionDe } from '../parts/publicaciones/abierta';
import { cotizacionDe } from '../parts/cotizaciones/abierta';
import { pagoDe } from '../parts/pagos/abierta';
import { ordenDe } from '../parts/ordenes/dialogos';
import { pedidoDe } from '../parts/pedidos/abierta';
import { conciliadaDe, depositoDe } from '../parts/conciliacion/abierta';
import { piezaDe } from '../parts/stock/abierta';
import { reclamoDe } from '../parts/reclamos/abierta';
import { preguntaDe, preguntasDePublicacion } from '../parts/preguntas/abierta';

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
