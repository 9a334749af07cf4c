import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { toWire, withParams } from '~/core/list';
import { PUBLICACION_AUSENTE } from '~/domain/publicaciones/publicaciones/publicacion';
import {
  changeCategoria,
  readCambio,
  type VistaCambio,
} from '~/domain/publicaciones/publicador/changeCategoria.server';
import { formularioGuardado } from '~/domain/publicaciones/publicador/categorias.server';
import { MARKET } from '~/domain/publicaciones/publicador/publish.server';
import { OtraCategoria, respuestasForm } from '~/domain/publicaciones/publicador/forms';
import { defineActions, outcome } from '~/http/actions.server';
import type { Wire } from '~/core/list';
import { PageHeader, Panel } from '~/ui/Blocks';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { usePantalla } from '~/ui/Pantallas';
import { Titular } from '~/ui/Titular';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Asked, useAsked } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { Campos } from './Campos';
import { Arbol } from './ElegirCategoria';
import { Rechazos } from './Rechazos';
import './publicador.css';

export const meta: MetaFunction = () => [{ title: 'Cambiar categoria' }];

const direccionOf = (request: Request) => {
  const { searchParams } = new URL(request.url);
  return {
    ver: searchParams.get('ver') ?? '',
    q: searchParams.get('buscar'),
    nodo: searchParams.get('nodo'),
    categoriaId: searchParams.get('categoria'),
  };
};

export async function loader({ request }: LoaderFunctionArgs) {
  const { ver, ...pedido } = direccionOf(request);
  const vista = await readCambio(db(), ver, pedido);
  return { vista: vista && toWire(vista) };
}

async function deLaDireccion({ request }: ActionFunctionArgs) {
  const { ver, categoriaId } = direccionOf(request);
  const formulario = categoriaId === null ? null : await formularioGuardado(db(), MARKET, categoriaId);
  return { ver, categoriaId, formulario };
}
type Abierto = Awaited<ReturnType<typeof deLaDireccion>>;

export const action = defineActions(deLaDireccion, {
  elegir: {
    schema: OtraCategoria,
    right: 'publicaciones.publicar',
    run: (_, { categoriaId }, __, { search }) =>
      Promise.resolve(outcome({ to: withParams(search, { categoria: categoriaId, nodo: null, buscar: null }) })),
  },
  cambiar: {
    schema: ({ formulario }: Abierto) => respuestasForm(formulario?.campos ?? []),
    marcas: ['version'],
    right: 'publicaciones.publicar',
    confirm: { titulo: 'Cambiar categoria', texto: '¿Está seguro que desea cambiar la categoría?' },
    hechos: async (db, _, __, { opened }) => {
      const vista = await readCambio(db, opened.ver, { q: null, nodo: null, categoriaId: opened.categoriaId });
      return vista ? hechosOf(vista) : undefined;
    },
    async run(db, form, usuario, { opened, search }) {
      if (opened.categoriaId === null) return outcome({ to: search });
      const hecho = await changeCategoria(db, opened.ver, opened.categoriaId, form, usuario);
      return outcome({
        to: withParams(search, { categoria: null, nodo: null, buscar: null }),
        aviso: hecho
          ? 'Se actualizo correctamente. El producto se guardo correctamente.'
          : 'El cambio salió hacia Mercado Libre.',
      });
    },
  },
});

const rutaOf = (ruta: readonly string[] | null | undefined, id: string | null) =>
  ruta?.join(' › ') ?? id ?? 'sin categoría';

function hechosOf({ publicacion, elegida }: Pick<Wire<VistaCambio> | VistaCambio, 'publicacion' | 'elegida'>): string {
  const nueva = elegida?.categoria?.ruta.map(({ nombre }) => nombre).join(' › ') ?? '';
  return `${publicacion.titulo} · ${rutaOf(publicacion.ruta, publicacion.categoriaId)} → ${nueva}`;
}

export default function CambiarCategoria() {
  const { vista } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const publicaciones = usePantalla('publicaciones');
  const asked = useAsked();
  if (!vista)
    return (
      <>
        <PageHeader titulo="Cambiar categoria" />
        <Panel tono="aviso" titulo={PUBLICACION_AUSENTE.titulo}>
          {PUBLICACION_AUSENTE.texto}
        </Panel>
      </>
    );
  const { publicacion, eleccion, elegida, falla } = vista;
  return (
    <>
      <PageHeader
        titulo="Cambiar categoria"
        nota={[publicacion.titulo, publicacion.clave, publicacion.sku].filter(Boolean).join(' · ')}
      >
        {publicaciones && (
          <Link className="boton" to={publicaciones}>
            Volver a la lista
          </Link>
        )}
      </PageHeader>
      <p className="publicador-producto">Ahora en: {rutaOf(publicacion.ruta, publicacion.categoriaId)}</p>
      {falla && (
        <Panel tono="mal" titulo="Mercado Libre no contesta">
          {falla} <Link to={search}>Reintentar</Link>
        </Panel>
      )}
      {eleccion && (
        <section className="hoja">
          <Titular>Elige la categoría</Titular>
          <Arbol
            eleccion={eleccion}
            intent="elegir"
            actual={publicacion.categoriaId}
            marcas={{ version: publicacion.version }}
            campos={{}}
            boton="Guardar"
          />
        </section>
      )}
      <Asked cancelar={search} />
      {elegida && !asked && <Respuestas key={publicacion.version} vista={vista} elegida={elegida} />}
    </>
  );
}

/** The questions of the other category, with the answers the listing already has. */
function Respuestas({
  vista,
  elegida,
}: {
  vista: Wire<VistaCambio>;
  elegida: NonNullable<Wire<VistaCambio>['elegida']>;
}) {
  const { publicacion } = vista;
  const { search } = useLocation();
  const form = useActionForm<Record<string, string>>('cambiar');
  const { formulario, respuestas, problemas, categoria, vendido } = elegida;
  const [falta] = formulario.sinSoporte;
  const dichos = Object.entries(form.form.allErrors).flatMap(([name, textos]) =>
    textos.map((texto) => ({ campo: name.replace(/^valor\./, '') || null, texto })),
  );
  return (
    <ActionForm of={form} className="hoja apilado">
      <Visto of={form} marcas={{ version: publicacion.version }} />
      <Titular>{categoria?.ruta.map(({ nombre }) => nombre).join(' › ')}</Titular>
      {vendido > 0 && (
        <Panel tono="aviso" titulo="Ya tiene ventas">
          Mercado Libre suele negar el cambio de categoría de lo que ya se vendió.
        </Panel>
      )}
      {falta && (
        <Panel tono="mal" titulo="Desde aquí no se puede">
          «{falta.nombre}» {falta.porque}.
        </Panel>
      )}
      <Rechazos problemas={problemas} campos={formulario.campos} />
      <Campos campos={formulario.campos} respuestas={respuestas} problemas={[...dichos, ...problemas]} />
      <div className="botones">
        <Link className="boton" to={withParams(search, { categoria: null })}>
          Elegir otra
        </Link>
        {falta === undefined && (
          <Confirm {...form.question} hechos={hechosOf(vista)}>
            Guardar
          </Confirm>
        )}
      </div>
    </ActionForm>
  );
}
