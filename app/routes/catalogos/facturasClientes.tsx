import { randomUUID } from 'node:crypto';
import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useLocation } from '@remix-run/react';
import { z } from 'zod';
import { can, requireRight } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { askFirst, isConfirmed } from '~/core/confirm';
import { FALLO, NotAllowed } from '~/core/errors';
import { flash } from '~/http/flash.server';
import { toWire, withParams } from '~/core/list';
import type { Usuario } from '~/domain/cuentas/usuario';
import { waitForEffect } from '~/domain/effects/effects.server';
import { MOTIVO_KEYS, nombreDe } from '~/domain/cancelacion/cancelacion';
import { pedirCancelacion, pedirOtraVez } from '~/domain/cancelacion/cancelar.server';
import { readCorrecciones } from '~/domain/cancelacion/correccionesView.server';
import { followCancelacion } from '~/domain/cancelacion/followCancelaciones.server';
import { facturasPorAtender } from '~/domain/cancelacion/porAtender.server';
import { facturasList, notasCreditoList } from '~/domain/emision/listFacturas.server';
import { resendFacturaMail } from '~/domain/cfdi/mailFactura.server';
import { motivoDeNota } from '~/domain/cfdi/motivoDeNota';
import { readFactura } from '~/domain/cfdi/readFactura.server';
import { abrirSustitucion } from '~/domain/emision/sustituir.server';
import { openList } from '~/domain/lists/list.server';
import { ventaUrl } from '~/domain/ordenes/orden';
import { PageHeader } from '~/ui/Blocks';
import { ConfirmStep } from '~/ui/Confirm';
import { DataTable, type Column } from '~/ui/DataTable';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { RangoFechas } from '~/ui/RangoFechas';
import { db } from '~db/shared.server';
import { cancelarDe, pedirOtraVezDe, SUSTITUIR } from './facturasClientes/Correcciones';
import { FacturaDialog, REENVIAR } from './facturasClientes/FacturaDialog';
import { PorAtender } from './facturasClientes/PorAtender';
import './facturasClientes/vistas.css';

export const meta: MetaFunction = () => [{ title: 'Facturas de clientes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const search = new URL(request.url).searchParams;
  const [ver, notas] = [search.get('ver'), search.get('tipo') === 'notas'];
  const [lista, abierta, correcciones, porAtender] = await Promise.all([
    openList(db(), notas ? notasCreditoList : facturasList, request, usuario),
    ver ? readFactura(db(), ver) : undefined,
    ver ? readCorrecciones(db(), ver) : undefined,
    facturasPorAtender(db()),
  ]);
  return {
    lista,
    notas,
    ver,
    porAtender: toWire(porAtender),
    abierta: abierta && toWire(abierta),
    correcciones: correcciones && toWire(correcciones),
    puedeReenviar: can(usuario, 'facturas.reenviar'),
    puedeCorregir: can(usuario, 'facturas.cancelar'),
  };
}

/** How long the page waits for the letter to leave before it says that it is on its way. */
const WAIT_MS = 4_000;

const FacturaId = z.uuid().catch('00000000-0000-0000-0000-000000000000');
/** What the question and the notice call it; nothing else hangs on it. */
const Tipo = z.enum(['individual', 'global', 'notaCredito']).catch('individual');

export async function action({ request, context }: ActionFunctionArgs) {
  const usuario = usuarioOf(context);
  const form = await request.formData();
  const facturaId = FacturaId.parse(form.get('factura'));
  const { search } = new URL(request.url);
  switch (form.get('accion')) {
    case 'cancelar':
      return cancelar(usuario, form, facturaId, search);
    case 'sustituir':
      return sustituir(usuario, form, facturaId);
    case 'seguir':
      return seguir(usuario, facturaId, search);
    case 'pedirOtraVez':
      return otraVez(usuario, form, facturaId, search);
    default:
      return reenviar(usuario, form, facturaId, search);
  }
}

async function reenviar(usuario: Usuario, form: FormData, facturaId: string, search: string) {
  requireRight(usuario, 'facturas.reenviar');
  if (!isConfirmed(form)) return { ...askFirst(form, REENVIAR), error: null };
  return answering('Error al enviar el correo.', async () => {
    const { id } = await db()
      .transaction()
      .execute((trx) => resendFacturaMail(trx, facturaId, usuario.id));
    const carta = await waitForEffect(db(), id, WAIT_MS);
    if (carta?.state === 'refused') throw new NotAllowed('Error al enviar el correo.', carta.reason ?? FALLO.texto);
    return noticed(
      withParams(search, { ver: null }),
      carta?.state === 'done' ? 'Se envio el correo.' : 'El correo está en camino.',
    );
  });
}

async function cancelar(usuario: Usuario, form: FormData, facturaId: string, search: string) {
  requireRight(usuario, 'facturas.cancelar');
  const tipo = Tipo.parse(form.get('tipo'));
  if (!isConfirmed(form)) return { ...askFirst(form, cancelarDe(tipo)), error: null };
  return answering('Error al cancelar.', async () => {
    const motivo = z.enum(MOTIVO_KEYS).safeParse(form.get('motivo'));
    if (!motivo.success) throw new NotAllowed('Error al cancelar.', 'Elige el motivo de cancelación.');
    const id = await pedirCancelacion(db(), { facturaId, motivo: motivo.data, usuarioId: usuario.id, now: new Date() });
    const effect = await waitForEffect(db(), id, WAIT_MS);
    if (effect?.state === 'refused') throw new NotAllowed('Error al cancelar.', effect.reason ?? FALLO.texto);
    const { cancelacion } = (await readCorrecciones(db(), facturaId))!;
    if (cancelacion?.estado === 'cancelada') return noticed(search, `La ${nombreDe(tipo)} se canceló.`);
    return noticed(
      search,
      effect?.state === 'done'
        ? 'El SAT recibió la solicitud; el estado se actualiza solo.'
        : 'La solicitud de cancelación está en camino.',
    );
  });
}

async function sustituir(usuario: Usuario, form: FormData, facturaId: string) {
  requireRight(usuario, 'facturas.cancelar');
  if (!isConfirmed(form)) return { ...askFirst(form, SUSTITUIR), error: null };
  return answering('Sustituir factura', async () => {
    const borrador = await abrirSustitucion(db(), facturaId, usuario.id, new Date());
    return redirect(`/${usuario.rol}/facturacion?borrador=${borrador}&paso=1`);
  });
}

async function seguir(usuario: Usuario, facturaId: string, search: string) {
  requireRight(usuario, 'facturas.cancelar');
  return answering('Error al consultar.', async () =>
    noticed(
      search,
      (await followCancelacion(db(), facturaId)) ? 'El SAT ya contestó.' : 'La cancelación sigue en proceso.',
    ),
  );
}

async function otraVez(usuario: Usuario, form: FormData, facturaId: string, search: string) {
  requireRight(usuario, 'facturas.cancelar');
  const tipo = Tipo.parse(form.get('tipo'));
  if (!isConfirmed(form)) return { ...askFirst(form, pedirOtraVezDe(tipo)), error: null };
  return answering('Error al cancelar.', async () => {
    const pedida = await pedirOtraVez(db(), { facturaId, usuarioId: usuario.id, now: new Date() });
    if ('impedimento' in pedida)
      return noticed(search, `La ${nombreDe(tipo)} volvió a estar vigente. ${pedida.impedimento}`);
    const effect = await waitForEffect(db(), pedida.effectId, WAIT_MS);
    if (effect?.state === 'refused') throw new NotAllowed('Error al cancelar.', effect.reason ?? FALLO.texto);
    return noticed(search, 'Se pidió otra vez la cancelación.');
  });
}

async function noticed(to: string, aviso: string) {
  return redirect(to === '' ? '?' : to, { headers: { 'Set-Cookie': await flash(aviso) } });
}

/** What the business refuses is a dialog over the page, with its own title. */
async function answering(titulo: string, verb: () => Promise<Response>) {
  try {
    return await verb();
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return data({ confirmar: null, error: { id: randomUUID(), titulo, texto: error.message } }, { status: 422 });
  }
}

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const CANCELADA: Record<string, { tono: Tono; texto: string }> = {
  cancelada: { tono: 'mal', texto: 'Sí' },
  cancelando: { tono: 'aviso', texto: 'En proceso' },
};

/** What only a credit note has: the factura it takes back from. */
const DE_NOTA: Column<Row, Lista['totales']>[] = [
  {
    header: 'Factura',
    width: 148,
    cell: ({ origenFolio, origenUuid, motivo }) =>
      origenFolio && (
        <span title={`${motivoDeNota(motivo)}. UUID relacionado ${origenUuid ?? ''}`}>
          {origenFolio} <span className="nota">{origenUuid?.slice(0, 8)}…</span>
        </span>
      ),
  },
];

const columnsIn = (area: string, notas: boolean): Column<Row, Lista['totales']>[] => [
  { header: 'Fecha', sort: 'fecha', width: 140, cell: (factura) => <Fecha valor={factura.fechaTimbrado} /> },
  { header: 'Folio', sort: 'folio', width: 80, opens: true, cell: (factura) => factura.folio },
  {
    header: 'No. Orden',
    sort: 'orden',
    width: 150,
    cell: ({ market, numOrden }) =>
      numOrden && (
        <a href={ventaUrl(market === 'amz' ? 'amz' : 'ml', numOrden)} target="_blank" rel="noopener noreferrer">
          {numOrden}
        </a>
      ),
  },
  ...(notas ? DE_NOTA : []),
  { header: 'RFC', sort: 'rfc', width: 136, cell: (factura) => factura.rfc },
  {
    header: 'Razón social',
    sort: 'razonSocial',
    cell: (factura) => <span title={factura.razonSocial}>{factura.razonSocial}</span>,
  },
  {
    header: 'Cancelada',
    sort: 'cancelada',
    width: 104,
    cell: ({ estatus, otraVigente }) =>
      otraVigente === null ? (
        <Estatus tono={CANCELADA[estatus]?.tono ?? 'ok'}>{CANCELADA[estatus]?.texto ?? 'No'}</Estatus>
      ) : (
        <span title={`Esta y la ${otraVigente} cobran la misma venta, y las dos están vigentes.`}>
          <Estatus tono="mal">Doble</Estatus>
        </span>
      ),
  },
  {
    header: 'Total',
    sort: 'total',
    width: notas ? 124 : 146,
    align: 'right',
    cell: (factura) => <Pesos valor={factura.total} />,
    total: ({ total }) => <Pesos valor={total} />,
  },
  {
    header: 'Descargar',
    width: 114,
    cell: ({ id, folio }) => (
      <>
        <a className="boton" href={`${area}/descargas/factura/${id}/pdf`} download aria-label={`PDF de ${folio}`}>
          PDF
        </a>
        <a className="boton" href={`${area}/descargas/factura/${id}/xml`} download aria-label={`XML de ${folio}`}>
          XML
        </a>
      </>
    ),
  },
];

/** Under which title the two lists of the screen go. */
const VISTAS = [
  { tipo: null, titulo: 'Facturas' },
  { tipo: 'notas', titulo: 'Notas de crédito' },
] as const;

export default function FacturasClientes() {
  const { lista, notas, ver, porAtender, abierta, correcciones, puedeReenviar, puedeCorregir } =
    useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { search } = useLocation();
  const area = useArea();
  const cerrar = withParams(search, { ver: null });

  return (
    <>
      <PageHeader titulo="Facturas de clientes">
        <nav className="vistas" aria-label="Comprobantes">
          {VISTAS.map(({ tipo, titulo }) => (
            <Link
              key={titulo}
              to={withParams(search, { tipo, ver: null, pagina: null, orden: null })}
              aria-current={(tipo === 'notas') === notas ? 'page' : undefined}
            >
              {titulo}
            </Link>
          ))}
        </nav>
      </PageHeader>
      <PorAtender
        facturas={porAtender}
        area={area}
        puede={puedeCorregir}
        ver={(id) => withParams(search, { ver: id })}
      />
      {answer?.confirmar && <ConfirmStep pending={answer.confirmar} cancelar={search} />}
      <DataTable
        key={lista.lista}
        lista={lista}
        columns={columnsIn(area, notas)}
        rowKey={(factura) => factura.id}
        tone={(factura) => (factura.estatus === 'cancelada' ? 'mal' : undefined)}
        label={notas ? 'Notas de crédito' : 'Facturas de clientes'}
        placeholder="Folio, orden, RFC o razón social"
        area={area}
        opens
      >
        <RangoFechas {...lista.filtro} />
      </DataTable>
      {ver && !answer?.confirmar && (
        <FacturaDialog
          key={ver}
          factura={abierta}
          correcciones={correcciones}
          cerrar={cerrar}
          search={search}
          area={area}
          puedeReenviar={puedeReenviar}
          puedeCorregir={puedeCorregir}
        />
      )}
      {answer?.error && <ErrorDialog key={answer.error.id} titulo={answer.error.titulo} texto={answer.error.texto} />}
    </>
  );
}
