import { expect, test } from 'vitest';
import { CALLS } from '~/api/catalog.server';
import { described } from '../support/api';

/**
 * Every line of both tables of calls of the old client, those that both tables hold once, and the postal codes that both speak of. `ahora` is the method that took the place of a GET that changed something.
 */
const LINES: { call: string; ahora?: string }[] = [
  ...lines(`
    POST /api/usuario/login
    POST /api/usuario/login/token
    GET /api/checkToken/{token}
    GET /api/self/usuario
    PUT /api/self/usuario
    PUT /api/self/password/user
    GET /api/ordenes/rangoFecha/{from}/{to}
    GET /api/ordenes/rangoFechaV2/{from}/{to}/{filtro}
    GET /api/empresa/proveedores
    GET /api/ordenes/rangoFecha/factura/{from}/{to}
    GET /api/factura.com/usosCFDI
    GET /api/factura.com/usosCFDI/publico/{token}
    GET /api/factura.com/regimenesfiscales
    GET /api/factura.com/regimenesfiscales/publico/{token}
    GET /api/factura.com/formasPago
    GET /api/ordenes/{orden}
    GET /api/factura.com/datosFiscales/{rfc}
    POST /api/factura.com/CFDI
    GET /api/datosFiscales
    GET /api/empresas
    POST /api/empresa
    PUT /api/empresa/{id}
    DELETE /api/empresa/{id}
    GET /api/usuarios
    POST /api/usuario
    PUT /api/usuario
    PUT /api/password/user
    GET /api/facturas/{from}/{to}
    GET /api/proveedorFacturas/{from}/{to}
    POST /api/proveedorFactura
    PUT /api/proveedorFactura
    DELETE /api/proveedorFactura/{id}
    GET /api/ordenes/estatus
    GET /api/ordenesActivas
    GET /api/factura.co/descargar/factura/{id}
    POST /api/orden/cambioEstatus/{id}
    GET /api/envios/{from}/{to}
    GET /api/envios/pendientes/{from}/{to}
    GET /api/productos
    GET /api/productoFiltrado
    GET /api/producto/{id}
    PUT /api/producto/{id}
    GET /api/ct/lista
    GET /api/ordenesPorConfirmarCt
    POST /api/orden/confirmarCT/{id}
    DELETE /api/orden/list/ct/{id}
    GET /api/ventaAgentes
    POST /api/ventaAgente
    POST /api/ventaAgentes/cambiarEstado
    GET /api/orden/{id}
    GET /api/existML
    GET /api/existToken/factura.com
    GET /api/existToken/syscom
    POST /api/token/factura.com
    PUT /api/token/factura.com
    POST /api/token/syscom
    PUT /api/token/syscom
    GET /api/VerificarExitenciaTokenAMZ
    GET /api/empresas/configProveedor/{proveedor}
    POST /api/empresas/configuracion/{proveedor}
    POST /api/empresas/pedidoConfig/{proveedor}/{activo}
    GET /api/envio/{clave}
    POST /api/envioP/{token}
    GET /api/preguntas2/{from}/{to}
    GET /api/preguntasSinResponder/{from}/{to}
    POST /api/responderPregunta
    GET /api/reclamos/{from}/{to}
    GET /api/apiML/cliente/{buyerId}
    POST /api/apiML/cliente/bloquear/{buyerId}
    DELETE /api/apiML/cliente/activar/{buyerId}
    GET /api/internalStocks/{folio}/{token}
    GET /api/internalStock/estatus/{token}
    PUT /api/internalStock/estatus/{token}
    GET /api/internalStock/estatus
    GET /api/internalStocks/{from}/{to}/{supplierValue}/{statusValue}
    GET /api/internalStocks/{id}
    GET /api/internalStocks/file/{returnId}
    POST /api/internalStock/qr
    POST /api/internalStock
    PUT /api/internalStock
    GET /api/proveedorPagos
    POST /api/proveedorPagos/{folio}/{orderId}/{supplierCode}
    POST /api/ordenes/proveedorPagos
    GET /api/publicaciones
    GET /api/publicacionFiltrado
    PUT /api/publicacion
    PUT /api/producto/publicacion/{productId}
    GET /api/apiML/categoria/predict/{text}
    GET /api/apiML/categorias
    GET /api/apiML/categoria/{id}
    GET /api/apiML/categoria/attributes/{id}
    POST /api/apiML/producto/publicacion/{productId}
    GET /api/productos/sinPublicacion/ml
    POST /api/productos/buscador
    GET /api/urlActivacionML
    GET /api/linkVinculacionAMZ
    POST /api/vincularEB
    POST /api/linkConfirmacionAMZ
    POST /api/informacionAutorizacionAMZ
    POST /api/activacionML
    POST /api/apiSh/activacion
    POST /api/syscom/file
    GET /api/ordenes/token/{token}
    GET /api/factura.com/datosFiscales/publico/{rfc}/{token}
    POST /api/factura.com/datosFiscales
    PUT /api/factura.com/datosFiscales
    POST /api/factura.com/datosFiscales/publico/{token}
    PUT /api/factura.com/datosFiscales/publico/{token}
    POST /api/factura.com/CFDI/publico/{token}
    POST /api/factura.com/CFDI/general
    POST /api/factura.com/CFDI/notasCreditoR
    POST /api/factura.com/CFDI/notasCreditoC
    POST /api/factura/notaSecilla
    POST /api/empresa/file/app
    GET /api/empresa/download
    GET /api/syscom/factura/{id}
    POST /api/envio/{clave}
    PUT /api/envio
    GET /api/codigoPostal/{cp}
    GET /api/codigoPostal/{cp}/{token}
  `),
  { call: 'GET /api/empresa/activar/{id}', ahora: 'POST' },
  { call: 'GET /api/envio/sendEmail/{id}', ahora: 'POST' },
  { call: 'GET /api/envio/sendLinkFactura/{id}', ahora: 'POST' },
  { call: 'GET /api/producto/update/{id}', ahora: 'POST' },
];

function lines(text: string) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((call) => ({ call }));
}

const has = (method: string, path: string) => CALLS.some((call) => call.method === method && call.path === path);

test('both tables of the old client are here, each line once', () => {
  expect(LINES).toHaveLength(124);
  expect(new Set(LINES.map(({ call }) => call)).size).toBe(124);
});

test.each(LINES)('$call is answered', ({ call, ahora }) => {
  const [method, path] = call.split(' ') as [string, string];
  expect(has(ahora ?? method, path)).toBe(true);
  if (ahora) expect(has(method, path)).toBe(false);
});

test('no two paths are one but for the names in their braces', () => {
  const shapes = new Map<string, Set<string>>();
  for (const { path } of CALLS) {
    const shape = path.replace(/\{\w+\}/g, '{}');
    shapes.set(shape, (shapes.get(shape) ?? new Set()).add(path));
  }
  expect([...shapes.values()].filter((paths) => paths.size > 1).map((paths) => [...paths])).toEqual([]);
});

test('every call of the old client that is answered stands in a line', () => {
  const known = new Set(LINES.map(({ call, ahora }) => (ahora ? `${ahora} ${call.split(' ')[1]}` : call)));
  const old = CALLS.filter(({ path }) => !path.startsWith('/api/v1/'));
  expect(old.map(({ method, path }) => `${method} ${path}`).filter((call) => !known.has(call))).toEqual([]);
});

test('a call whose address holds an RFC or a token names the call that takes it elsewhere', () => {
  const names = new Set(CALLS.map(({ method, path }) => `${method} ${path}`));
  const replaced = CALLS.filter(({ sucesor }) => sucesor !== undefined);
  expect(replaced.filter(({ sucesor }) => !names.has(sucesor!)).map(({ path }) => path)).toEqual([]);
  expect(CALLS.filter(({ path, sucesor }) => path.includes('{rfc}') && !path.includes('{token}') && !sucesor)).toEqual(
    [],
  );
  // The token of a customer's link is its address: a letter can hold nothing else.
  const deSesion = CALLS.filter(({ path, resumen }) => path.includes('{token}') && resumen.includes('de una sesión'));
  expect(deSesion.map(({ path, sucesor }) => [path, sucesor !== undefined])).toEqual([
    ['/api/checkToken/{token}', true],
    ['/api/internalStock/estatus/{token}', true],
    ['/api/internalStock/estatus/{token}', true],
    ['/api/internalStocks/{folio}/{token}', true],
  ]);
  const { deprecated, description } = described().paths['/api/v1/receptores/{rfc}']!.get!;
  expect([deprecated, String(description).includes('POST /api/v1/receptores/buscar')]).toEqual([true, true]);
});

test('every call is in the description, once, and nothing else is', () => {
  const inTable = CALLS.map(({ method, path }) => `${method} ${path}`).sort();
  const inFile = Object.entries(described().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(inFile.sort()).toEqual(inTable);
  expect(new Set(inTable).size).toBe(inTable.length);
  const ids = Object.values(described().paths).flatMap((methods) =>
    Object.values(methods).map((one) => one.operationId),
  );
  expect(new Set(ids).size).toBe(inTable.length);
  expect(described().openapi).toBe('3.1.0');
});

test('what changes something is never asked by GET', () => {
  expect(CALLS.filter((call) => call.method === 'GET' && call.commit).map(({ path }) => path)).toEqual([]);
});

test('the description is OpenAPI 3.1 that other tools read: each name is declared once, each reference leads somewhere', () => {
  type Of<T> = Record<string, T>;
  type Operation = {
    operationId: string;
    summary: string;
    parameters: { name: string; in: string; required: boolean; schema: object }[];
    requestBody?: { content: Of<{ schema: object }> };
    responses: Of<{ description: string; content?: Of<{ schema: object }> }>;
  };
  const { paths, components } = described() as unknown as {
    paths: Of<Of<Operation>>;
    components: { schemas: Of<object> };
  };
  const wrong: string[] = [];
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { parameters, requestBody, responses, summary }] of Object.entries(methods)) {
      const at = `${method} ${path}`;
      const inPath = parameters.filter((one) => one.in === 'path');
      const braces = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      if (inPath.map(({ name }) => name).join() !== braces.join()) wrong.push(`${at}: ${braces.join()}`);
      if (inPath.some(({ required }) => !required) || summary.trim() === '') wrong.push(at);
      if (new Set(parameters.map((one) => `${one.in} ${one.name}`)).size !== parameters.length)
        wrong.push(`${at}: repetido`);
      if (requestBody && (method === 'get' || Object.keys(requestBody.content).length === 0))
        wrong.push(`${at}: cuerpo`);
      const answers = Object.entries(responses);
      if (!answers.some(([status]) => /^2\d\d$/.test(status)) || answers.some(([, one]) => !one.description))
        wrong.push(at);
      const schemas = [...Object.values(responses), ...(requestBody ? [requestBody] : [])].flatMap(({ content = {} }) =>
        Object.values(content).map(({ schema }) => schema),
      );
      for (const schema of [...schemas, ...parameters.map((one) => one.schema)])
        for (const [, name] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g))
          if (!Object.hasOwn(components.schemas, name!.replace('#/components/schemas/', '')))
            wrong.push(`${at}: ${name}`);
    }
  expect(wrong).toEqual([]);
});
