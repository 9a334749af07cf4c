import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, useLoaderData, useLocation } from '@remix-run/react';
import { mayReadList } from '~/access/lists';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { cuenta } from '~/core/cuenta';
import { NotAllowed } from '~/core/errors';
import { toWire } from '~/core/list';
import { ACCION, MAX_LOTE } from '~/domain/atencion/lote';
import { PrepararLote, UnLote } from '~/domain/atencion/loteForm';
import { prepareLote, readLote, startLote, type EstadoEnLote } from '~/domain/atencion/lote.server';
import { findList } from '~/domain/exports/lists.server';
import { defineActions, outcome } from '~/http/actions.server';
import { BatchProgress, isUnderWay } from '~/ui/BatchProgress';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { Confirm } from '~/ui/Confirm';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Asked, Hidden, Refusal, useAsked } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { CON_LOTES } from '../parts/ordenes/lote';

export const meta: MetaFunction = () => [{ title: 'Varias ordenes a la vez' }];

const AUSENTE = {
  titulo: 'Lo que elegiste ya no está aquí',
  texto: 'Elige otra vez las ordenes en su lista.',
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const id = new URL(request.url).searchParams.get('lote');
  // Where a list's choice is refused there is none yet.
  if (id === null) return { lote: null };
  const lote = await readLote(db(), id, usuario.id);
  if (!lote) throw data(AUSENTE, { status: 404 });
  return { lote: toWire(lote) };
}

export const action = defineActions({
  /** From a list: what it would do, to which, and to which not. */
  preparar: {
    schema: PrepararLote,
    right: 'ordenes.operar',
    run: async (db, { lista, hacer: accion, orden, consulta, corte, todos }, usuario) => {
      const list = CON_LOTES.has(lista) && mayReadList(usuario, lista) ? findList(lista) : undefined;
      if (!list) throw new NotAllowed('Aviso', 'Esta lista no tiene acciones para varias ordenes.');
      const search = new URLSearchParams(consulta);
      const ordenes = todos
        ? await list.ids(db, list.parse(search, usuario), corte ?? null, MAX_LOTE + 1)
        : [...new Set(orden)];
      const id = await db
        .transaction()
        .execute((trx) => prepareLote(trx, { lista, consulta, accion, ordenes, usuarioId: usuario.id }));
      return outcome({ to: `/${usuario.rol}/lote?lote=${id}` });
    },
  },
  correr: {
    schema: UnLote,
    right: 'ordenes.operar',
    confirm: async (db, { lote: id }, usuario) => {
      const lote = await readLote(db, id, usuario.id);
      return lote && !lote.pedidoEn ? ACCION[lote.accion].pregunta(lote.avance.total) : null;
    },
    commit: (trx, { lote }, usuario) => startLote(trx, lote, usuario.id),
  },
  /** The same for what failed, looked at anew. */
  reintentar: {
    schema: UnLote,
    right: 'ordenes.operar',
    run: async (db, { lote: id }, usuario) => {
      const lote = await readLote(db, id, usuario.id);
      if (!lote) throw new NotAllowed(AUSENTE.titulo, AUSENTE.texto);
      const ordenes = lote.ordenes.filter(({ estado }) => estado === 'fallida').map(({ ordenId }) => ordenId);
      const nuevo = await db
        .transaction()
        .execute((trx) => prepareLote(trx, { ...lote, ordenes, usuarioId: usuario.id }));
      return outcome({ to: `/${usuario.rol}/lote?lote=${nuevo}` });
    },
  },
});

const ESTADO: Record<EstadoEnLote, { texto: string; tono: Tono }> = {
  fuera: { texto: 'No califica', tono: 'neutro' },
  pendiente: { texto: 'Por hacer', tono: 'neutro' },
  camino: { texto: 'En camino', tono: 'neutro' },
  dudosa: { texto: 'Por aclarar', tono: 'aviso' },
  hecha: { texto: 'Hecha', tono: 'ok' },
  fallida: { texto: 'No se hizo', tono: 'mal' },
};

/** What was chosen in a list: first what would be done and to how many, then how each went. */
export default function Lote() {
  const { lote } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const asked = useAsked();
  if (!lote)
    return (
      <>
        <PageHeader titulo="Varias ordenes a la vez" />
        <Refusal of="preparar" />
        <EmptyState>{AUSENTE.texto}</EmptyState>
      </>
    );
  const { boton, hecho, fallo, pregunta } = ACCION[lote.accion];
  const { avance, ordenes, fuera } = lote;
  const volver = `${area}/${lote.lista}?${lote.consulta}`;
  return (
    <>
      <PageHeader
        titulo={boton}
        nota={`${cuenta(ordenes.length)} ${ordenes.length === 1 ? 'orden elegida' : 'ordenes elegidas'}`}
      >
        <a className="boton" href={volver}>
          Volver a la lista
        </a>
      </PageHeader>
      <Asked cancelar={search} />
      <Refusal of="correr" />
      <Refusal of="reintentar" />
      {!lote.pedidoEn && !asked && (
        <Panel
          tono={avance.total === 0 ? 'aviso' : undefined}
          titulo={
            avance.total === 0
              ? 'Ninguna de las ordenes elegidas califica.'
              : `${avance.total === 1 ? 'Califica' : 'Califican'} ${cuenta(avance.total)} de ${cuenta(ordenes.length)}.`
          }
        >
          {fuera > 0 && <p>De las demás se dice abajo por qué no.</p>}
          {avance.total > 0 && (
            <Form method="post" preventScrollReset className="botones">
              <Hidden intent="correr" lote={lote.id} />
              <Confirm {...pregunta(avance.total)}>
                {boton} ({cuenta(avance.total)})
              </Confirm>
            </Form>
          )}
        </Panel>
      )}
      {lote.pedidoEn && (
        <BatchProgress lote={avance} source={`${area}/avanceLote/${lote.id}`} listo={{ texto: hecho }} fallo={fallo}>
          {avance.failed > 0 && !isUnderWay(avance) && (
            <Form method="post" preventScrollReset>
              <Hidden intent="reintentar" lote={lote.id} />
              <button type="submit" className="boton">
                Reintentar fallidas
              </button>
            </Form>
          )}
        </BatchProgress>
      )}
      <div className="tabla-caja" role="region" aria-label="Ordenes elegidas" tabIndex={0}>
        <table className="tabla">
          <thead>
            <tr>
              <th>No. Orden</th>
              <th>Título</th>
              <th>Estado</th>
              <th>Motivo</th>
            </tr>
          </thead>
          <tbody>
            {ordenes.map(({ ordenId, numOrden, titulo, estado, motivo }) => (
              <tr key={ordenId}>
                <td>
                  <a href={`${area}/ordenes?q=${numOrden}&ver=${ordenId}`}>{numOrden}</a>
                </td>
                <td>{titulo}</td>
                <td>
                  {lote.pedidoEn || estado === 'fuera' ? (
                    <Estatus tono={ESTADO[estado].tono}>{ESTADO[estado].texto}</Estatus>
                  ) : (
                    <Estatus tono="ok">Califica</Estatus>
                  )}
                </td>
                <td>{motivo ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
