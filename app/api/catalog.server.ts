import type { Rol } from '~/access/screens';
import { alcanceOf, rolesOf, wantsProof, type Call } from './call.server';
import { almacenAnterior } from './legacy/almacen.server';
import { atencionAnterior } from './legacy/atencion.server';
import { enviosAnteriores } from './legacy/envios.server';
import { pedidosAnteriores } from './legacy/pedidos.server';
import { productosAnteriores } from './legacy/productos.server';
import { proveedorFacturasAnteriores } from './legacy/proveedorFacturas.server';
import { conexiones } from './legacy/conexiones.server';
import { empresas } from './legacy/empresas.server';
import { facturasAnteriores } from './legacy/facturas.server';
import { ordenesAnteriores } from './legacy/ordenes.server';
import { usuarios } from './legacy/usuarios.server';
import { pagosAnteriores } from './legacy/pagos.server';
import { aplicacionAnterior } from './legacy/aplicacion.server';
import { enviosPropios } from './legacy/enviosPropios.server';
import { facturacionAnterior } from './legacy/facturacion.server';
import { facturacionPublica } from './legacy/facturacionPublica.server';
import { publicacionesAnteriores } from './legacy/publicaciones.server';
import { publicas } from './legacy/publico.server';
import { sesion } from './legacy/sesion.server';
import { almacen } from './v1/almacen.server';
import { conteos } from './v1/conteos.server';
import { publicaciones } from './v1/publicaciones.server';
import { atencion } from './v1/atencion.server';
import { pedidos } from './v1/pedidos.server';
import { productos } from './v1/productos.server';
import { proveedores } from './v1/proveedores.server';
import { proveedorFacturas } from './v1/proveedorFacturas.server';
import { cuenta } from './v1/cuenta.server';
import { conciliacion } from './v1/conciliacion.server';
import { cotizaciones } from './v1/cotizaciones.server';
import { pagos } from './v1/pagos.server';
import { costos } from './v1/costos.server';
import { cuentaProveedores } from './v1/cuentaProveedores.server';
import { diot } from './v1/diot.server';
import { documentos } from './v1/documentos.server';
import { envios } from './v1/envios.server';
import { facturas } from './v1/facturas.server';
import { operacion } from './v1/operacion.server';
import { ordenes } from './v1/ordenes.server';
import { personas } from './v1/personas.server';
import { plataformas } from './v1/plataformas.server';
import { publicador } from './v1/publicador.server';
import { ajustes } from './v1/conexiones.server';
import { configuracion } from './v1/tiendas.server';
import { ventas } from './v1/ventas.server';

/**
 * Every call of the API. Routing, OpenAPI, the test of permissions and the client are made of this table, so a call outside the table does not
 * exist. Outgoing webhooks are listed in `eventos.server.ts`.
 */
export const CALLS: readonly Call[] = [
  ...sesion,
  ...usuarios,
  ...empresas,
  ...ordenesAnteriores,
  ...facturasAnteriores,
  ...proveedorFacturasAnteriores,
  ...enviosAnteriores,
  ...productosAnteriores,
  ...pedidosAnteriores,
  ...atencionAnterior,
  ...almacenAnterior,
  ...pagosAnteriores,
  ...publicacionesAnteriores,
  ...facturacionAnterior,
  ...enviosPropios,
  ...aplicacionAnterior,
  ...conexiones,
  ...publicas,
  ...facturacionPublica,
  ...ordenes,
  ...ventas,
  ...facturas,
  ...proveedorFacturas,
  ...productos,
  ...pedidos,
  ...proveedores,
  ...atencion,
  ...almacen,
  ...conteos,
  ...publicaciones,
  ...pagos,
  ...cotizaciones,
  ...conciliacion,
  ...personas,
  ...envios,
  ...documentos,
  ...costos,
  ...cuentaProveedores,
  ...diot,
  ...plataformas,
  ...publicador,
  ...configuracion,
  ...ajustes,
  ...operacion,
  ...cuenta((rol) => alcancesOf(rol)),
];

/** Returns the permissions that a personal token of a role can have: those of calls that the role may make and that need no proof of a person. */
export function alcancesOf(rol: Rol): string[] {
  const own = CALLS.filter(
    (call) => typeof call.acceso === 'object' && rolesOf(call).includes(rol) && !wantsProof(call),
  );
  return [...new Set(own.map(alcanceOf))].sort();
}
