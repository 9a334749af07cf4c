import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { FALLO, NotAllowed } from '~/core/errors';
import { withParams } from '~/core/list';
import { waitForEffect } from '~/platform/effects/effects.server';
import { notasList, readNota } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { resendNotaMail } from '~/domain/facturacion/notaSencilla/createNota.server';
import { ReenviarNota } from '~/domain/facturacion/notaSencilla/forms';
import { askedByScript, openList } from '~/platform/lists/list.server';
import { defineActions, outcome } from '~/http/actions.server';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { type Column } from '~/ui/DataTable';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { db } from '~db/shared.server';
import { notaOf } from './record';
import { askResendNota } from './questions';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const PANEL = definePanel('NotaFicha', {
  load: async () => (await import('./NotaFicha')).NotaFicha,
  que: 'Nota',
  ausente: { titulo: 'No encontre nada para ti', texto: 'El enlace nombra una nota que no está aquí.' },
});

export const meta: MetaFunction = () => [{ title: 'Notas sencillas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ver = new URL(request.url).searchParams.get('ver');
  const [lista, abierta] = await Promise.all([
    openList(db(), notasList, request, usuarioOf(context)),
    ver && !askedByScript(request) ? notaOf(ver) : null,
  ]);
  return { lista, abierta: ver && !askedByScript(request) ? (abierta ?? ('ausente' as const)) : null };
}

/** The time that the page waits for the letter before it says that the letter is on its way. */
const WAIT_MS = 4_000;

export const action = defineActions({
  reenviar: {
    schema: ReenviarNota,
    confirm: async (db, { nota: id }) => {
      const nota = await readNota(db, id);
      return nota ? askResendNota(nota) : null;
    },
    run: async (db, { nota }, { id: usuarioId }) => {
      const { id } = await db.transaction().execute((trx) => resendNotaMail(trx, nota, usuarioId));
      const carta = await waitForEffect(db, id, WAIT_MS);
      if (carta?.state === 'refused') throw new NotAllowed('Error al enviar el correo.', carta.reason ?? FALLO.texto);
      return outcome({ aviso: carta?.state === 'done' ? 'Se envio el correo.' : 'El correo está en camino.' });
    },
    to: (_, { search }) => withParams(search, { ver: null }),
  },
});

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const columnsIn = (area: string): Column<Row, Lista['totales']>[] => [
  { header: 'Fecha', sort: 'fecha', width: 110, tarjeta: 'fecha', cell: (nota) => <Fecha valor={nota.fecha} /> },
  {
    header: 'Folio',
    sort: 'folio',
    width: 90,
    opens: true,
    tarjeta: 'numero',
    copia: ({ folio }) => [folio],
    cell: (nota) => nota.folio,
  },
  { header: 'Cliente', sort: 'cliente', tarjeta: 'titulo', cell: (nota) => nota.cliente },
  { header: 'Teléfono', width: 120, hideUnder: 'sm', tarjeta: 'factura', cell: (nota) => nota.telefono },
  { header: 'Email', sort: 'email', tarjeta: 'estatus', copia: ({ email }) => [email], cell: (nota) => nota.email },
  {
    header: 'Total',
    tarjeta: 'monto',
    sort: 'total',
    width: 146,
    align: 'right',
    cell: (nota) => <Pesos valor={nota.total} />,
    total: ({ total }) => <Pesos valor={total} />,
  },
  {
    header: 'Descargar',
    width: 90,
    cell: ({ id, folio }) => (
      <a className="boton" href={`${area}/descargas/nota/${id}`} download aria-label={`PDF de ${folio}`}>
        PDF
      </a>
    ),
  },
];

/** The notes already issued. */
export default function NotasSencillas() {
  const { lista, abierta } = useLoaderData<typeof loader>();
  const area = useArea();
  return (
    <ListScreen
      titulo="Notas sencillas"
      botones={
        <Link className="boton" data-tono="acento" to={`${area}/notaSencilla`}>
          Crear Nota Sencilla
        </Link>
      }
      lista={lista}
      rango={lista.filtro}
      columns={columnsIn(area)}
      rowKey={(nota) => nota.id}
      placeholder="Folio, cliente, email o teléfono"
      vacia={{ nada: 'Todavía no hay notas sencillas.' }}
      panel={PANEL}
      abierta={abierta}
      refusals={['reenviar']}
    />
  );
}
