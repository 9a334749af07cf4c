import { Link, useLocation } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { withParams, type Wire } from '~/core/list';
import { writeCount } from '~/core/count';
import { MERCADOS } from '~/domain/mercados/mercados';
import { respuestasOfForm } from '~/domain/publicaciones/publicador/publicador';
import type { VistaVarios } from '~/domain/publicaciones/publicador/publicarVarios.server';
import { cuantas } from '~/platform/batches/batch';
import { Boton } from '~/ui/Boton';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { Titular } from '~/ui/Titular';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Campos } from './Campos';
import { Arbol } from './ElegirCategoria';

export const VARIOS_AUSENTE = {
  titulo: 'Lo que elegiste ya no está aquí',
  texto: 'Elige otra vez en la lista.',
};

type Props = {
  id: string;
  /** Of the list that the products were chosen in. */ consulta: string;
  total: number;
  /** Products that cannot be published. */ fuera: number;
  vista: Wire<VistaVarios> | null;
};

/** The step between choosing products and the question: their one category, and the answers that they share. */
export function Varios({ id, consulta, total, fuera, vista }: Props) {
  const { search } = useLocation();
  const area = useArea();
  if (!vista)
    return (
      <>
        <PageHeader titulo="Publicar varios" />
        <EmptyState>{VARIOS_AUSENTE.texto}</EmptyState>
      </>
    );
  const { label } = MERCADOS[vista.market];
  return (
    <>
      <PageHeader
        titulo={`Publicar varios en ${label}`}
        nota={`${cuantas(total - fuera, 'producto', 'productos')} en una sola categoría.`}
      >
        <Link className="boton" to={`${area}/publicadorML${withParams(consulta, { ver: null })}`}>
          Volver a la lista
        </Link>
      </PageHeader>
      {fuera > 0 && (
        <p className="nota">
          {fuera === 1
            ? 'Uno de lo elegido no se puede publicar'
            : `${writeCount(fuera)} de lo elegido no se pueden publicar`}
          : <Link to={`${area}/lote?lote=${id}`}>por qué no</Link>.
        </p>
      )}
      {vista.falla && (
        <Panel tono="mal" titulo={`${label} no contesta`}>
          {vista.falla} <Link to={search}>Reintentar</Link>
        </Panel>
      )}
      {vista.eleccion && (
        <section className="hoja">
          <Titular>Elige la categoría</Titular>
          <p className="nota">
            Es la misma para todos. Un producto cuyo borrador ya tiene otra se queda fuera, con su borrador como está.
          </p>
          <Arbol
            eleccion={vista.eleccion}
            intent="categoriaComun"
            actual={vista.anterior}
            campos={{}}
            boton="Siguiente"
          />
        </section>
      )}
      {vista.elegida && <Comunes elegida={vista.elegida} />}
    </>
  );
}

/** The questions of the category whose answer is the same for all products. */
function Comunes({ elegida }: { elegida: NonNullable<Wire<VistaVarios>['elegida']> }) {
  const { categoria, campos, solos, respuestas } = elegida;
  const { search } = useLocation();
  const form = useActionForm<Record<string, string>>('comunes');
  // A field says its own name already.
  const dichos = campos.flatMap(({ id, nombre }) =>
    (form.form.allErrors[`valor.${id}`] ?? []).map((texto) => ({ campo: id, texto: texto.replace(`${nombre}: `, '') })),
  );
  const escrito = form.answer?.initialValue;
  return (
    <ActionForm of={form} className="hoja apilado">
      <Titular>Características comunes</Titular>
      <p className="nota">{categoria.ruta.map(({ nombre }) => nombre).join(' › ')} · * Obligatorio</p>
      {solos.length > 0 && <p className="nota">De cada producto: {solos.join(', ')}.</p>}
      {campos.length === 0 && <p className="nota">No pide nada más.</p>}
      <Campos campos={campos} respuestas={escrito ? respuestasOfForm(escrito) : respuestas} problemas={dichos} />
      <p className="nota">
        Lo que escribas vale para todos. Lo que es de cada producto (marca, modelo, código) se usa solo en los que no lo
        tienen. Falta la pregunta: nada se publica todavía.
      </p>
      <div className="botones">
        <Link className="boton" to={withParams(search, { categoria: null })}>
          Elegir otra
        </Link>
        <Boton tono="acento" type="submit" data-principal>
          Siguiente
        </Boton>
      </div>
    </ActionForm>
  );
}
