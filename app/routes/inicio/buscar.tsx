import { TextInput } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData } from '@remix-run/react';
import { screensOf } from '~/access/screens';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { toWire } from '~/core/list';
import { Buscado } from '~/platform/search/forms';
import { MAX_LETRAS, MIN_LETRAS, search } from '~/platform/search/search.server';
import { BUSCADORES } from '~/domain/operacion/searchCatalog.server';
import { readQuery } from '~/http/readForm.server';
import { Boton } from '~/ui/Boton';
import { EmptyState, PageHeader } from '~/ui/Blocks';
import { Fecha } from '~/ui/Fecha';
import { db } from '~db/shared.server';
import { actosLlamados, pantallasLlamadas } from './pantallasLlamadas';
import './buscar.css';

export const meta: MetaFunction = () => [{ title: 'Buscar' }];

/** Reads the results for `q` by kind, on screens that the role may open, and the screens of that name. The palette reads the same. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { rol } = usuarioOf(context);
  const { q } = readQuery(request, Buscado);
  const pantallas = screensOf(rol);
  const puede = ({ pantalla }: { pantalla: string }) => pantallas.some(([key]) => key === pantalla);
  const grupos = await search(db(), BUSCADORES.filter(puede), q);
  return {
    q,
    minimo: MIN_LETRAS,
    problema: q.length > MAX_LETRAS ? `Escribe ${MAX_LETRAS} letras como máximo.` : null,
    pantallas: pantallasLlamadas(rol, q),
    actos: actosLlamados(rol, q),
    grupos: grupos.map((grupo) => ({
      ...grupo,
      hallazgos: grupo.hallazgos.map(({ acciones = [], ...hallazgo }) => ({
        ...toWire(hallazgo),
        acciones: acciones.filter(puede),
      })),
    })),
  };
}

/** The whole search as a page: where the box of the frame leads without JavaScript. */
export default function Buscar() {
  const { q, minimo, problema, pantallas, actos, grupos } = useLoaderData<typeof loader>();
  const area = useArea();
  const nada = q.length >= minimo && !problema && grupos.length === 0 && pantallas.length + actos.length === 0;
  return (
    <>
      <PageHeader titulo="Buscar" nota="En todas las fechas. Lo más reciente primero." />
      <Form className="buscar-todo" role="search">
        <TextInput
          label="Orden, comprador, teléfono, RFC, folio, UUID, guía, SKU, correo o nombre"
          type="search"
          name="q"
          defaultValue={q}
          key={q}
          maxLength={200}
          autoComplete="off"
        />
        <Boton tono="acento" type="submit">
          Buscar
        </Boton>
      </Form>
      {problema && <p role="alert">{problema}</p>}
      {q !== '' && q.length < minimo && <EmptyState>Escribe al menos {minimo} letras o números.</EmptyState>}
      {nada && (
        <EmptyState>
          No hay nada con «{q}». Prueba con el número completo de la orden, el folio, el RFC o una palabra del nombre.
        </EmptyState>
      )}
      {actos.length > 0 && (
        <section className="hallazgos" aria-labelledby="clase-actos">
          <h2 id="clase-actos">Acciones</h2>
          <ul>
            {actos.map(({ titulo, to }) => (
              <li key={titulo}>
                <Link to={to}>{titulo}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {pantallas.length > 0 && q !== '' && (
        <section className="hallazgos" aria-labelledby="clase-pantallas">
          <h2 id="clase-pantallas">Pantallas</h2>
          <ul>
            {pantallas.map(({ label, to }) => (
              <li key={to}>
                <Link to={to}>{label}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {grupos.map(({ clase, titulo, hallazgos }) => (
        <section key={clase} className="hallazgos" aria-labelledby={`clase-${clase}`}>
          <h2 id={`clase-${clase}`}>{titulo}</h2>
          <ul>
            {hallazgos.map((hallazgo) => (
              <li key={hallazgo.id}>
                <Link to={`${area}/${hallazgo.a}`}>{hallazgo.titulo}</Link>
                <span className="detalle">{hallazgo.detalle}</span>
                <Fecha valor={hallazgo.fecha} />
                {hallazgo.acciones.map((accion) => (
                  <a key={accion.a} className="boton" href={`${area}/${accion.a}`} aria-label={accion.titulo}>
                    Facturar
                  </a>
                ))}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
