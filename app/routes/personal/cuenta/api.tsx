import { NativeSelect, TextInput } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, Link, useLoaderData } from '@remix-run/react';
import { sesionOf, usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { callsOf, describeCall, tryCall } from '~/api/page.server';
import { Boton } from '~/ui/Boton';
import { PageHeader } from '~/ui/Blocks';
import './api.css';

export const meta: MetaFunction = () => [{ title: 'API' }];

/** Reads the API as this person's role may call it, and one call with the answer of its trial. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const { searchParams } = new URL(request.url);
  const llamada = searchParams.get('llamada');
  const abierta = describeCall(usuario.rol, llamada);
  const caller = { usuario, alcances: null, sesion: null, probada: sesionOf(context).probada };
  const prueba =
    abierta && searchParams.has('probar') ? await tryCall(caller, abierta.id, searchParams, context) : null;
  return { llamadas: callsOf(usuario.rol), abierta, prueba, escrito: Object.fromEntries(searchParams) };
}

type Datos = ReturnType<typeof useLoaderData<typeof loader>>;

export default function Api() {
  const { llamadas, abierta, prueba, escrito } = useLoaderData<typeof loader>();
  const area = useArea();
  return (
    <div className="media">
      <PageHeader titulo="API" nota="Lo mismo que las pantallas, para programas.">
        <Link className="boton" to={`${area}/tokensApi`}>
          Tokens de API
        </Link>
        <a className="boton" href="/api/openapi.json">
          OpenAPI 3.1
        </a>
      </PageHeader>
      {abierta ? (
        <Llamada key={abierta.id} llamada={abierta} prueba={prueba} escrito={escrito} />
      ) : (
        <>
          <Tabla titulo="API v1" llamadas={llamadas.filter(({ anterior }) => !anterior)} />
          <Tabla titulo="Llamadas del cliente anterior" llamadas={llamadas.filter(({ anterior }) => anterior)} />
        </>
      )}
    </div>
  );
}

function Tabla({ titulo, llamadas }: { titulo: string; llamadas: Datos['llamadas'] }) {
  const asuntos = [...new Set(llamadas.map(({ asunto }) => asunto))].toSorted((a, b) => a.localeCompare(b, 'es'));
  return (
    <section className="hoja">
      <h2>{titulo}</h2>
      <table className="llamadas">
        <thead>
          <tr>
            <th scope="col">Llamada</th>
            <th scope="col">Qué hace</th>
            <th scope="col">Permiso</th>
          </tr>
        </thead>
        {asuntos.map((asunto) => (
          <tbody key={asunto}>
            <tr>
              <th scope="rowgroup" colSpan={3}>
                {asunto}
              </th>
            </tr>
            {llamadas
              .filter((llamada) => llamada.asunto === asunto)
              .map(({ id, method, path, resumen, permiso }) => (
                <tr key={id}>
                  <td>
                    <a href={`?llamada=${id}`}>
                      <b>{method}</b> <code>{path}</code>
                    </a>
                  </td>
                  <td>{resumen}</td>
                  <td data-de="Permiso">{permiso ?? 'Ninguno'}</td>
                </tr>
              ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

type Abierta = NonNullable<Datos['abierta']>;

function Llamada({
  llamada,
  prueba,
  escrito,
}: {
  llamada: Abierta;
  prueba: Datos['prueba'];
  escrito: Datos['escrito'];
}) {
  const { method, path, resumen, descripcion, parametros, recibe, responde, sePrueba } = llamada;
  return (
    <section className="hoja llamada">
      <p>
        <a href="?">Todas las llamadas</a>
      </p>
      <h2>
        {method} <code>{path}</code>
      </h2>
      <p>{resumen}</p>
      <p className="nota">{descripcion}</p>
      {sePrueba ? (
        <Probar llamada={llamada} escrito={escrito} />
      ) : (
        parametros.length > 0 && (
          <ul>
            {parametros.map(({ nombre, donde, requerido, descripcion }) => (
              <li key={nombre}>
                <code>{nombre}</code> ({EN[donde]}
                {requerido && ', necesario'}) {descripcion}
              </li>
            ))}
          </ul>
        )
      )}
      {prueba && (
        <div role="status">
          <h3>
            {prueba.status} <code>{prueba.address}</code>
          </h3>
          <pre>{prueba.cuerpo}</pre>
        </div>
      )}
      {recibe && <Esquema titulo="Recibe" texto={recibe} />}
      <Esquema titulo="Responde" texto={responde} />
    </section>
  );
}

const EN: Record<Abierta['parametros'][number]['donde'], string> = {
  path: 'en la dirección',
  query: 'en la consulta',
  header: 'en un encabezado',
};

function Probar({ llamada: { id, parametros }, escrito }: { llamada: Abierta; escrito: Datos['escrito'] }) {
  return (
    <Form method="get" className="apilado" preventScrollReset>
      <input type="hidden" name="llamada" value={id} />
      <input type="hidden" name="probar" value="1" />
      <div className="campos">
        {parametros
          .filter(({ donde, nombre }) => donde !== 'header' && nombre !== 'formato')
          .map(({ nombre, requerido, descripcion, opciones }) =>
            opciones.length > 0 ? (
              <NativeSelect
                key={nombre}
                name={nombre}
                label={nombre}
                description={descripcion}
                defaultValue={escrito[nombre] ?? ''}
                data={['', ...opciones]}
              />
            ) : (
              <TextInput
                key={nombre}
                name={nombre}
                label={nombre}
                description={descripcion}
                required={requerido}
                defaultValue={escrito[nombre] ?? ''}
                autoComplete="off"
              />
            ),
          )}
      </div>
      <div className="botones">
        <Boton tono="acento" type="submit">
          Probar
        </Boton>
      </div>
    </Form>
  );
}

function Esquema({ titulo, texto }: { titulo: string; texto: string }) {
  return (
    <details>
      <summary>{titulo}</summary>
      <pre>{texto}</pre>
    </details>
  );
}
