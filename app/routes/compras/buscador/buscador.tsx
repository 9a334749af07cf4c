import { NativeSelect, TextInput } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData, useLocation, useNavigation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { toWire, withParams } from '~/core/list';
import { askProveedores, searchCatalogo } from '~/domain/compras/catalogo/buscador.server';
import { PRODUCTO_AUSENTE } from '~/domain/compras/catalogo/producto';
import { Hallar } from '~/domain/compras/catalogo/forms';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import { listCatalogos } from '~/domain/compras/catalogo/productos.server';
import { defineActions } from '~/http/actions.server';
import { readQuery } from '~/http/readForm.server';
import { Boton } from '~/ui/Boton';
import { PageHeader, Panel } from '~/ui/Blocks';
import { AhoraProvider } from '~/ui/Edad';
import { definePanel, usePanel } from '~/ui/ficha/panel';
import { RecorridoProvider } from '~/ui/ficha/recorrido';
import { useRecorridoCorto } from '~/ui/ficha/useRecorridoCorto';
import { usePantalla } from '~/ui/Pantallas';
import { Asked, Refusal } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { productoOf } from '~/routes/compras/productos/record';
import { productoActions } from '~/routes/compras/productos/actions';
import { EnVivo } from './EnVivo';
import { Hallados } from './Hallados';
import '../productos/producto.css';
import './buscador.css';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

// Each screen that shows this panel defines it. A module that two screens share would be bundled into the file of the panel, which then loads at once.
const PANEL = definePanel('ProductoFicha', {
  load: async () => (await import('~/routes/compras/productos/ProductoFicha')).ProductoFicha,
  que: 'Producto',
  ausente: PRODUCTO_AUSENTE,
  con: ['cp'],
});

export const meta: MetaFunction = () => [{ title: 'Buscador de Productos' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { q, proveedor, vivo } = readQuery(request, Hallar);
  const [catalogos, hallado, abierto, preguntado] = await Promise.all([
    listCatalogos(db()),
    q === '' ? null : findHallados(q, proveedor),
    openRecord(request, usuario, productoOf),
    // A page with scripts asks the suppliers itself.
    q === '' || vivo === '' ? null : askProveedores(db(), vivo, q),
  ]);
  const ahora = new Date().toISOString();
  return {
    q,
    proveedor,
    catalogos,
    hallado: hallado && toWire(hallado),
    abierto,
    preguntado: preguntado && { proveedor: vivo, respuesta: toWire(preguntado) },
    ahora,
  };
}

/** Returns the products of our own catalogue that the words mean, each with its small picture beside it. */
async function findHallados(q: string, proveedor: string) {
  const { productos, total } = await searchCatalogo(db(), q, proveedor);
  return { productos: await productosList.conLado(db(), productos), total };
}

export const action = defineActions(productoActions());

/** The product finder. Our copy of the catalogues answers at once, and each supplier is asked beside it. */
export default function Buscador() {
  const { q, proveedor, catalogos, hallado, abierto, preguntado, ahora } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const [configuracion, tokens] = [usePantalla('tiendasConfiguracion'), usePantalla('tokens')];
  const tiendas = configuracion ?? tokens;
  const buscando = useNavigation().location?.pathname.endsWith('/buscador') ?? false;
  const ver = new URLSearchParams(search).get('ver');
  const recorrido = useRecorridoCorto(hallado?.productos.map(({ id }) => id) ?? [], ver, search);
  const ficha = usePanel(PANEL, { lista: { lista: 'productos', corte: ahora }, area, inicial: abierto });
  const preguntados = catalogos.filter(
    ({ value, conectado }) => conectado && (proveedor === '' || value === proveedor),
  );
  return (
    <AhoraProvider ahora={ahora}>
      <PageHeader titulo="Buscador de Productos" />
      <Asked cancelar={withParams(search, { editar: null })} />
      <Refusal of="leer" />
      <div className="catalogo">
        <Form
          className="buscador-form"
          role="search"
          aria-label="Búsqueda de productos"
          preventScrollReset
          aria-busy={buscando}
        >
          <TextInput
            key={`q-${q}`}
            label="Buscar"
            aria-label="Buscar productos"
            placeholder="Nombre, modelo, clave o SKU"
            type="search"
            name="q"
            defaultValue={q}
            maxLength={100}
            autoComplete="off"
            autoFocus={q === ''}
          />
          <NativeSelect
            key={`proveedor-${proveedor}`}
            label="Proveedor"
            name="proveedor"
            defaultValue={proveedor}
            data={[{ value: '', label: 'Todo' }, ...catalogos]}
          />
          <Boton tono="acento" type="submit">
            Buscar
          </Boton>
        </Form>
        {catalogos.every(({ conectado }) => !conectado) && (
          <Panel tono="aviso" titulo="Ningún proveedor está conectado.">
            {tiendas ? (
              <Link to={tiendas}>Conectar un proveedor</Link>
            ) : (
              'Un administrador los conecta en Configuración de tiendas.'
            )}
          </Panel>
        )}
        {hallado && (
          <>
            <h2>En nuestro catálogo</h2>
            {hallado.productos.length === 0 ? (
              <p className="vacio" role="status">
                <strong>No se encontro un producto</strong>
                <span>Nada coincide con «{q}» en lo que se ha leído de los proveedores.</span>
              </p>
            ) : (
              <Hallados
                productos={hallado.productos}
                aparte={
                  <a href={`${area}/productos?${new URLSearchParams({ q, ...(proveedor && { proveedor }) })}`}>
                    Ver en Productos
                  </a>
                }
                muchos={hallado.total === null || hallado.total > hallado.productos.length}
              />
            )}
            {preguntados.length > 0 && <h2>Ahora mismo con cada proveedor</h2>}
            <div className="en-vivo">
              {preguntados.map(({ value, label }) => (
                <EnVivo
                  key={`${value} ${q}`}
                  proveedor={value}
                  label={label}
                  q={q}
                  area={area}
                  inicial={preguntado?.proveedor === value ? preguntado.respuesta : null}
                />
              ))}
            </div>
          </>
        )}
        {ficha && <RecorridoProvider value={recorrido}>{ficha}</RecorridoProvider>}
      </div>
    </AhoraProvider>
  );
}
