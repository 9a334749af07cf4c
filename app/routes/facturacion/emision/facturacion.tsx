import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, useLoaderData, useSearchParams } from '@remix-run/react';
import { can } from '~/access/actions';
import { lotesOf } from '~/access/lotes';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { catalogNotices } from '~/domain/facturacion/sat/catalogos.server';
import { judgedAnew } from '~/core/errors';
import { enLinea } from '~/core/hechos';
import { toWire } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { clavesPorAprender, requireCodigos } from '~/domain/facturacion/emision/codigosSku.server';
import { documentosOfCliente } from '~/domain/facturacion/receptores/datosFiscales.server';
import {
  discardDraft,
  reopenDraft,
  refreshArticulos,
  requireDraft,
  requireVisto,
  saveDraft,
  withdrawStamp,
} from '~/domain/facturacion/emision/draft.server';
import { clienteVacio, type DraftCliente, type Paso, isSoloBuscado, Visto } from '~/domain/facturacion/emision/draft';
import {
  beginSaveCliente,
  chooseCliente,
  lookUpCliente,
  keepRevision,
  readDraft,
} from '~/domain/facturacion/emision/draftSteps.server';
import {
  ArticulosDelDraft,
  BuscarRfc,
  BuscarVenta,
  ClienteForm,
  CONFIRMAR,
  Corregir,
  ElegirCliente,
  FacturarVenta,
  Limpiar,
  RETIRAR,
  RevisionEscrita,
  RevisionForm,
} from '~/domain/facturacion/emision/forms';
import { invoiceAsShown, searchVenta } from '~/domain/facturacion/emision/invoiceVenta.server';
import { listPorFacturar } from '~/domain/facturacion/emision/porFacturar.server';
import { defineActions, outcome, type At } from '~/http/actions.server';
import { PageHeader, Panel } from '~/ui/Blocks';
import { deferredPart } from '~/ui/deferredPart';
import { EnEspera } from '~/ui/EnEspera';
import { ErrorDialog } from '~/ui/ErrorDialog';
import { Guardado } from '~/ui/Guardado';
import { Steps } from '~/ui/Steps';
import { Asked, Hidden, Refusal, useAnswer } from '~/ui/useAnswer';
import { useDicho } from '~/ui/useDicho';
import type { Db } from '~db/client.server';
import { db } from '~db/shared.server';
import { Articulos, FORM_ARTICULOS } from '~/routes/facturacion/articulos/Articulos';
import { Buscar } from './Buscar';
import { PorFacturar } from './PorFacturar';
import { Cliente, formCliente } from './Cliente';
import { hechosDeRevision, hechosOf, Revision } from './Revision';
import { Resultado } from './Resultado';

const Presencia = deferredPart('Presencia', async () => (await import('~/ui/ficha/Presencia')).Presencia);

/** Sales under the box. */
const POR_FACTURAR = 12;

export const meta: MetaFunction = () => [{ title: 'Facturación' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const url = new URL(request.url);
  const borrador = url.searchParams.get('borrador');
  const puedeResolver = can(usuario, 'pendientes.resolver');
  if (!borrador)
    return {
      vista: null,
      porFacturar: {
        ...toWire(await listPorFacturar(db(), POR_FACTURAR)),
        deUnaVez: lotesOf(usuario, 'ordenes').includes('facturar'),
      },
      numOrden: url.searchParams.get('numOrden')?.trim() ?? '',
      puedeResolver,
      sinCargar: [],
      alcance: null,
    };
  const vista = await readDraft(db(), borrador, usuario, url.searchParams.get('paso'));
  // A step opens when the steps before it are saved; an address ahead of them leads to the furthest open step.
  if (url.searchParams.get('paso') !== vista.paso) throw redirect(`?borrador=${borrador}&paso=${vista.paso}`);
  const sinCargar = await catalogNotices(
    db(),
    vista.paso === '2' ? ['regimenes'] : vista.paso === '3' ? ['usos', 'formasPago'] : [],
  );
  const alcance =
    vista.paso === '2' && vista.cliente.modo === 'edicion'
      ? await documentosOfCliente(db(), vista.cliente)
      : vista.paso === '3'
        ? await clavesPorAprender(db(), vista.articulos)
        : null;
  return { vista, porFacturar: null, numOrden: vista.numOrden, puedeResolver, sinCargar, alcance };
}

/** Returns the draft that the address names; every intent that needs a draft asks here. */
function borradorOf({ request }: ActionFunctionArgs): string {
  return new URL(request.url).searchParams.get('borrador') ?? '';
}
type Envio = At<string>;
/** Reads the draft as the screen of the form showed it. */
const draftOf = async (db: Db, visto: Visto, usuario: Usuario, { opened }: Envio) =>
  requireVisto(await requireDraft(db, opened, usuario), visto);
const paso = (n: string, { opened, ir = n }: Envio) => `?borrador=${opened}&paso=${ir}`;
const paso2 = (_: unknown, at: Envio) => paso('2', at);

export const action = defineActions(borradorOf, {
  buscar: {
    schema: BuscarVenta,
    run: async (db, { numOrden }, { id }) => outcome({ to: `?borrador=${await searchVenta(db, numOrden, id)}&paso=1` }),
  },
  limpiar: {
    schema: Limpiar,
    run: async (db, { version = 0, mostrado }, usuario, at) => {
      if (at.opened) await discardDraft(db, await draftOf(db, { version, mostrado }, usuario, at));
    },
    to: '?',
  },
  corregir: {
    schema: Corregir,
    run: async (db, visto, usuario, at) => reopenDraft(db, await draftOf(db, visto, usuario, at)),
    to: (form, at) => paso(form.paso, at),
  },
  retirar: {
    schema: Visto,
    confirm: RETIRAR,
    hechos: async (db, _, usuario, at) => {
      const { numOrden, cliente, total } = await readDraft(db, at.opened, usuario, 'lista');
      return hechosOf(numOrden, cliente, { total });
    },
    run: async (db, visto, usuario, at) =>
      withdrawStamp(db, EFFECTS, await draftOf(db, visto, usuario, at), usuario.id),
    to: (_, at) => paso('3', at),
  },
  articulos: {
    schema: ArticulosDelDraft,
    run: async (db, { articulos, ...visto }, usuario, at) => {
      await requireCodigos(db, 'Error de llenado.', articulos);
      await saveDraft(db, await draftOf(db, visto, usuario, at), { articulos });
    },
    to: paso2,
  },
  actualizarArticulos: {
    schema: Visto,
    run: async (db, visto, usuario, at) => refreshArticulos(db, await draftOf(db, visto, usuario, at)),
    to: (_, at) => paso('1', at),
    aviso: 'Los artículos son los de la venta como está ahora.',
  },
  buscarRfc: {
    schema: BuscarRfc,
    run: async (db, { rfc, ...visto }, usuario, at) => lookUpCliente(db, await draftOf(db, visto, usuario, at), rfc),
    to: paso2,
  },
  elegir: {
    schema: ElegirCliente,
    run: async (db, { uid, ...visto }, usuario, at) => chooseCliente(db, await draftOf(db, visto, usuario, at), uid),
    to: paso2,
  },
  editar: {
    schema: Visto,
    run: async (db, visto, usuario, at) => {
      const draft = await draftOf(db, visto, usuario, at);
      const cliente = draft.cliente ?? clienteVacio();
      await saveDraft(db, draft, { cliente: { ...cliente, modo: 'edicion', origen: null } });
    },
    to: paso2,
  },
  cancelarEdicion: {
    schema: Visto,
    run: async (db, visto, usuario, at) => {
      const draft = await draftOf(db, visto, usuario, at);
      await lookUpCliente(db, draft, draft.cliente?.rfc ?? '');
    },
    to: paso2,
  },
  otro: {
    schema: Visto,
    run: async (db, visto, usuario, at) =>
      saveDraft(db, await draftOf(db, visto, usuario, at), { cliente: clienteVacio() }),
    to: paso2,
  },
  siguiente: {
    schema: Visto,
    run: async (db, visto, usuario, at) => void (await draftOf(db, visto, usuario, at)),
    to: (_, at) => paso('3', at),
  },
  guardar: {
    schema: ClienteForm,
    run: async (db, { version, mostrado, ...cliente }, usuario, at) => {
      const guardado = await judgedAnew(async () => {
        const draft = await requireDraft(db, at.opened, usuario);
        if (!isSoloBuscado(draft.cliente, cliente.rfc)) requireVisto(draft, { version, mostrado });
        return beginSaveCliente(db, draft, cliente, usuario.id);
      });
      return guardado ? outcome({ aviso: 'Éxito, la información fue guardada correctamente.' }) : undefined;
    },
    to: paso2,
  },
  anotar: {
    schema: RevisionEscrita,
    run: async (db, { version, mostrado, ...escrita }, usuario, at) =>
      keepRevision(db, await draftOf(db, { version, mostrado }, usuario, at), escrita),
    to: (_, at) => paso('3', at),
  },
  crear: {
    schema: RevisionForm,
    alIr: 'anotar',
    confirm: CONFIRMAR,
    hechos: async (db, form, usuario, at) => {
      const { numOrden, cliente, revision } = await readDraft(db, at.opened, usuario, '3');
      return revision ? hechosOf(numOrden, cliente, revision.totales, form) : undefined;
    },
    run: async (db, { diferencia, version, mostrado, pagado, ...revision }, usuario, at) => {
      // A button pressed twice finds its factura under way. Only the lock tells that from a draft that moved.
      const draft = await requireDraft(db, at.opened, usuario);
      const diferenciaAceptada = diferencia === 'aceptada';
      const visto = { version, mostrado, pagado };
      await db
        .transaction()
        .execute((trx) =>
          createFactura(trx, draft, { revision, diferenciaAceptada, usuarioId: usuario.id, now: at.now, visto }),
        );
    },
    to: (_, at) => paso('lista', at),
  },
  facturar: {
    schema: FacturarVenta,
    confirm: CONFIRMAR,
    hechos: async (_db, { numOrden, mostrado, ...form }) =>
      enLinea(`Orden ${numOrden}`, mostrado.Receptor, ...hechosDeRevision(form), mostrado.Total),
    run: async (db, { numOrden, version, mostrado, pagado, ...revision }, usuario, { now }) => {
      const visto = { version, mostrado, pagado };
      const borrador = await invoiceAsShown(db, { numOrden, visto, revision }, usuario, now);
      return outcome({ to: `?borrador=${borrador}&paso=lista` });
    },
    aviso: 'Se pidió la factura.',
  },
});

export default function Facturacion() {
  const { vista, porFacturar, numOrden, puedeResolver, sinCargar, alcance } = useLoaderData<typeof loader>();
  const asked = useDicho()?.confirmar !== undefined;
  const buscado = useAnswer('buscar');
  const [params] = useSearchParams();
  const area = useArea();
  if (!vista) {
    return (
      <>
        <PageHeader titulo="Facturación" nota="Factura una venta por su número de orden." />
        <Buscar key={buscado?.id ?? numOrden} numOrden={numOrden} enfocar alLlegar={numOrden !== '' && !buscado} />
        {porFacturar && <PorFacturar {...porFacturar} area={area} />}
      </>
    );
  }
  const href = (paso: string) => `?borrador=${params.get('borrador')}&paso=${paso}`;
  return (
    <>
      <PageHeader
        titulo="Facturación"
        nota={
          <>
            Orden{' '}
            <a href={vista.enlaceVenta} target="_blank" rel="noopener noreferrer">
              {vista.numOrden}
            </a>
            {vista.paso !== 'lista' && (
              <>
                <Guardado en={vista.guardadoEn} />{' '}
                <Presencia que={`venta:${vista.numOrden}`} url={`${area}/presencia`} />
              </>
            )}
          </>
        }
      >
        {vista.paso !== 'lista' && (
          <a className="boton" href={`${area}/enlaces?numOrden=${vista.numOrden}`}>
            Enlace de facturación
          </a>
        )}
      </PageHeader>
      <Steps
        pasos={vista.pasos.map((paso) => ({ ...paso, href: paso.abierto ? href(paso.paso) : undefined }))}
        formulario={formularioOf(vista)}
        sinEnter={vista.paso === '3'}
      />
      {vista.sustituye && vista.paso !== 'lista' && (
        <Panel tono="aviso" titulo={`Sustituye a la factura ${vista.sustituye}`}>
          Al timbrar esta, se pedirá al SAT cancelar la anterior con motivo 01.
        </Panel>
      )}
      {vista.excluidas.length > 0 && (
        <Panel tono="aviso" titulo="Parte de la orden no se factura">
          <ul>
            {vista.excluidas.map(({ marketId, motivo }) => (
              <li key={marketId}>
                {marketId}: {motivo}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {vista.avisos.map(({ titulo, texto }) => (
        <Panel key={texto} tono="aviso" titulo={titulo}>
          {texto}
        </Panel>
      ))}
      {vista.fuera.length > 0 && <Desactualizados nombres={vista.fuera} visto={vista.visto} />}
      {sinCargar.map((texto) => (
        <Panel key={texto} tono="aviso">
          {texto} Se muestran los últimos datos conocidos.
        </Panel>
      ))}
      <Asked cancelar={href(vista.paso)} />
      {['corregir', 'retirar', 'elegir', 'actualizarArticulos'].map((intent) => (
        <Refusal key={intent} of={intent} />
      ))}
      {vista.paso === '1' && (
        <>
          <Buscar key={buscado?.id ?? numOrden} numOrden={numOrden} enfocar={false} visto={vista.visto} />
          <Articulos key={vista.version} articulos={vista.articulos} visto={vista.visto} />
        </>
      )}
      {vista.paso === '2' && (
        <>
          {vista.guardando && (
            <EnEspera titulo="Guardando los datos del cliente">
              Se pidió a las {vista.guardandoDesde} y factura.com todavía no confirma. Esta página se actualiza sola.
            </EnEspera>
          )}
          {vista.errorCliente && <ErrorDialog key={vista.version} titulo="Error" texto={vista.errorCliente} />}
          {!vista.guardando && (
            <Cliente cliente={vista.cliente} advertencias={vista.advertencias} alcance={alcance} visto={vista.visto} />
          )}
        </>
      )}
      {vista.paso === '3' && vista.revision && !asked && (
        <Revision
          {...vista.revision}
          numOrden={vista.numOrden}
          alcance={alcance}
          articulos={vista.articulos}
          cliente={vista.cliente}
          visto={vista.visto}
        />
      )}
      {vista.paso === 'lista' && vista.estado && (
        <Resultado
          estado={vista.estado}
          visto={vista.visto}
          area={area}
          correos={vista.cliente.emails}
          puedeResolver={puedeResolver}
          hechos={hechosOf(vista.numOrden, vista.cliente, vista)}
        />
      )}
    </>
  );
}

/** The form of the step that is open. */
function formularioOf({ paso, cliente }: { paso: Paso; cliente: DraftCliente }): string | undefined {
  return { '1': FORM_ARTICULOS, '2': formCliente(cliente), '3': 'crear', lista: undefined }[paso];
}

type Marcas = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['vista']>['visto'];

/** A sale of the pack was cancelled after its lines were written. Those lines cannot be invoiced, and this form removes them. */
function Desactualizados({ nombres, visto }: { nombres: string[]; visto: Marcas }) {
  return (
    <Panel tono="aviso" titulo="Los artículos ya no son los de la venta">
      <p>
        {nombres.map((nombre) => `«${nombre}»`).join(', ')}: su orden fue cancelada o devuelta después de escribir los
        artículos y ya no se puede facturar.
      </p>
      <Form method="post" className="botones">
        <Hidden intent="actualizarArticulos" {...visto} />
        <button type="submit" className="boton">
          Actualizar artículos
        </button>
      </Form>
    </Panel>
  );
}
