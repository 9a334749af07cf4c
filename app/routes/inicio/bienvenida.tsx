import { TextInput } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData } from '@remix-run/react';
import { entradasOf } from '~/access/menu';
import { usuarioOf } from '~/access/session.server';
import { useArea, useUsuario } from '~/access/useArea';
import { toWire } from '~/core/list';
import { nombreCompleto, ROL_LABEL } from '~/core/usuario';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { ultimosProductos } from '~/domain/compras/catalogo/productos.server';
import { Boton } from '~/ui/Boton';
import { Dato, Datos } from '~/ui/Datos';
import { PageHeader, Panel } from '~/ui/Blocks';
import { AhoraProvider, Edad } from '~/ui/Edad';
import { Icono } from '~/ui/Icono';
import { db } from '~db/shared.server';
import { Piezas, PrecioProveedor } from '~/routes/compras/productos/Precio';
import '../compras/productos/producto.css';
import './bienvenida.css';

export const meta: MetaFunction = () => [{ title: 'Inicio' }];

const ULTIMOS = 8;

export async function loader({ context }: LoaderFunctionArgs) {
  const productos = toWire(await ultimosProductos(db(), ULTIMOS));
  return { menu: entradasOf(usuarioOf(context).rol), productos, ahora: new Date().toISOString() };
}

/** The home of people who work with products: the finder's box, the newest products, the menu in the page, and their own data. */
export default function Bienvenida() {
  const { menu, productos, ahora } = useLoaderData<typeof loader>();
  const usuario = useUsuario();
  const area = useArea();
  return (
    <>
      <PageHeader titulo={`Hola, ${usuario.nombre}`} />
      <Form className="buscador-inicio" role="search" aria-label="Búsqueda de productos" action={`${area}/buscador`}>
        <TextInput
          label="Buscador de Productos"
          placeholder="Nombre, modelo, clave o SKU"
          type="search"
          name="q"
          maxLength={100}
          autoComplete="off"
        />
        <Boton tono="acento" type="submit">
          Buscar
        </Boton>
      </Form>
      {menu.length === 0 ? (
        <Panel tono="aviso" titulo={`El rol ${ROL_LABEL[usuario.rol]} todavía no tiene pantallas de trabajo.`}>
          Aquí aparecerán en cuanto las haya. Si necesitas entrar a otra pantalla, pide a un administrador que cambie tu
          rol.
        </Panel>
      ) : (
        <nav className="atajos" aria-label="Pantallas">
          {menu.map(({ label, to, icono }) => (
            <Link key={to} to={to} className="hoja">
              <Icono nombre={icono} />
              {label}
            </Link>
          ))}
        </nav>
      )}
      {productos.length > 0 && (
        <AhoraProvider ahora={ahora}>
          <section className="hoja media">
            <h2>Últimos productos</h2>
            <ul className="ultimos">
              {productos.map((producto) => (
                <li key={producto.id}>
                  <div>
                    <Link to={`${area}/productos?ver=${producto.id}`}>{nombreCorto(producto.nombre)}</Link>
                    <div className="nota">
                      {[producto.proveedorLabel, producto.marca, producto.modelo].filter(Boolean).join(' · ')}
                    </div>
                  </div>
                  <div className="cifras">
                    <PrecioProveedor {...producto} />
                    <div className="nota">
                      <Piezas {...producto} /> {producto.existencia === 1 ? 'pieza' : 'piezas'},{' '}
                      <Edad valor={producto.existenciaEn} vieja={producto.caducada} />
                    </div>
                  </div>
                </li>
              ))}
            </ul>
          </section>
        </AhoraProvider>
      )}
      <section className="hoja media">
        <h2>Tus datos</h2>
        <Datos>
          <Dato de="Nombre">{nombreCompleto(usuario)}</Dato>
          <Dato de="Usuario">{usuario.usuario}</Dato>
          <Dato de="Rol">{ROL_LABEL[usuario.rol]}</Dato>
          <Dato de="Email" ancha>
            {usuario.email}
          </Dato>
        </Datos>
        <div className="botones">
          <Link className="boton" to={`${area}/datosUsuario`}>
            Editar Datos
          </Link>
        </div>
      </section>
    </>
  );
}
