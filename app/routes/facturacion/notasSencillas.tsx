import { randomUUID } from 'node:crypto';
import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useLocation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { askFirst, isConfirmed } from '~/core/confirm';
import { FALLO, NotAllowed } from '~/core/errors';
import { flash } from '~/http/flash.server';
import { toWire, withParams } from '~/core/list';
import { waitForEffect } from '~/domain/effects/effects.server';
import { notasList, readNota } from '~/domain/notaSencilla/listNotas.server';
import { resendNotaMail } from '~/domain/notaSencilla/mailNota.server';
import { openList } from '~/domain/lists/list.server';
import { PageHeader } from '~/ui/Blocks';
import { ConfirmStep } from '~/ui/Confirm';
import { DataTable, type Column } from '~/ui/DataTable';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { NotaDialog, REENVIAR_NOTA } from './notaSencilla/NotaDialog';

export const meta: MetaFunction = () => [{ title: 'Notas sencillas' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ver = new URL(request.url).searchParams.get('ver');
  const [lista, abierta] = await Promise.all([
    openList(db(), notasList, request, usuarioOf(context)),
    ver ? readNota(db(), ver) : undefined,
  ]);
  return { lista, ver, abierta: abierta && toWire(abierta) };
}

/** How long the page waits for the letter to leave before it says that it is on its way. */
const WAIT_MS = 4_000;

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  if (!isConfirmed(form)) return { ...askFirst(form, REENVIAR_NOTA), error: null };
  try {
    const { id } = await db()
      .transaction()
      .execute((trx) => resendNotaMail(trx, String(form.get('nota') ?? ''), usuarioOf(context).id));
    const carta = await waitForEffect(db(), id, WAIT_MS);
    if (carta?.state === 'refused') throw new NotAllowed('Error al enviar el correo.', carta.reason ?? FALLO.texto);
    const aviso = carta?.state === 'done' ? 'Se envio el correo.' : 'El correo está en camino.';
    return redirect(withParams(new URL(request.url).search, { ver: null }), {
      headers: { 'Set-Cookie': await flash(aviso) },
    });
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return data(
      { confirmar: null, error: { id: randomUUID(), titulo: 'Error al enviar el correo.', texto: error.message } },
      { status: 422 },
    );
  }
}

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const columnsIn = (area: string): Column<Row, Lista['totales']>[] => [
  { header: 'Fecha', sort: 'fecha', width: 110, cell: (nota) => <Fecha valor={nota.fecha} /> },
  { header: 'Folio', sort: 'folio', width: 90, opens: true, cell: (nota) => nota.folio },
  { header: 'Cliente', sort: 'cliente', cell: (nota) => nota.cliente },
  { header: 'Teléfono', width: 120, hideUnder: 'sm', cell: (nota) => nota.telefono },
  { header: 'Email', sort: 'email', cell: (nota) => nota.email },
  {
    header: 'Total',
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
  const { lista, ver, abierta } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { search } = useLocation();
  const area = useArea();
  return (
    <>
      <PageHeader titulo="Notas sencillas">
        <Link className="boton" data-tono="acento" to={`${area}/notaSencilla`}>
          Crear Nota Sencilla
        </Link>
      </PageHeader>
      {answer?.confirmar && <ConfirmStep pending={answer.confirmar} cancelar={search} />}
      <DataTable
        lista={lista}
        columns={columnsIn(area)}
        rowKey={(nota) => nota.id}
        label="Notas sencillas"
        placeholder="Folio, cliente, email o teléfono"
        area={area}
        opens
      >
        <RangoFechas {...lista.filtro} />
      </DataTable>
      {ver && !answer?.confirmar && (
        <NotaDialog nota={abierta} cerrar={withParams(search, { ver: null })} area={area} />
      )}
      {answer?.error && <ErrorDialog key={answer.error.id} titulo={answer.error.titulo} texto={answer.error.texto} />}
    </>
  );
}
