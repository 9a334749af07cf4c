import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { z } from 'zod';
import { can, requireRight } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { NotAllowed } from '~/core/errors';
import { toWire, withParams } from '~/core/list';
import type { Usuario } from '~/core/usuario';
import { openAtMes } from '~/http/mesDebido.server';
import { defineActions } from '~/http/actions.server';
import { generateGlobal, retryGlobal } from '~/domain/facturacion/mes/global.server';
import { EmitirMes, ReintentarLote } from '~/domain/facturacion/mes/forms';
import { listasDelMes, loteList } from '~/domain/facturacion/mes/mesLists.server';
import { capitalize, isMes } from '~/core/text';
import { mesBefore, nombreOfMes } from '~/core/time';
import { mesOf, TABLA_KEYS, whyNotYet, type Tabla } from '~/domain/facturacion/mes/mes';
import { mesesAbiertos } from '~/domain/facturacion/mes/mesesAbiertos.server';
import {
  totalesOf,
  motivosOfLote,
  readArticulosOf,
  readBatchOfMes,
  readMes,
} from '~/domain/facturacion/mes/mesView.server';
import { issueNotas, retryNotas, ventasSinNota } from '~/domain/facturacion/notasCredito/notasCredito.server';
import { openList } from '~/platform/lists/list.server';
import { EmptyState, PageHeader, Panel } from '~/ui/Blocks';
import { MesPicker } from '~/ui/MesPicker';
import { Asked, Refusal } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { Excluidas, SinNota } from './Excluidas';
import { MesesAbiertos, OtrosAbiertos } from './MesesAbiertos';
import { questionOf } from './questions';
import { Motivos, Resultado, Volver } from './Resultado';
import { Tablas } from './Tablas';
import { Ventas } from './Ventas';
import './facturacionGeneral.css';

export const meta: MetaFunction = () => [{ title: 'Facturación general' }];

const Abierta = z.enum(TABLA_KEYS).catch('ordenes');

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const search = new URL(request.url).searchParams;
  const mes = search.get('mes') ?? '';
  const hoy = mesOf(new Date());
  if (!isMes(mes)) {
    const abiertos = await mesesAbiertos(db(), new Date());
    openAtMes(request, abiertos[0]?.mes ?? mesBefore(hoy));
    return { hoy, mes: null, abiertos: toWire(abiertos) };
  }
  const [tabla, ver, lote] = [Abierta.parse(search.get('tabla')), search.get('ver'), search.get('lote')];
  const [resumen, abiertos, sinNota, articulos, abierto] = await Promise.all([
    readMes(db(), mes),
    mesesAbiertos(db(), new Date()),
    ventasSinNota(db(), mes),
    ver ? readArticulosOf(db(), ver) : [],
    lote ? readBatchOfMes(db(), lote) : undefined,
  ]);
  const lista = await (abierto ? null : openTabla(tabla));
  const [resultado, motivos] = abierto
    ? await Promise.all([openList(db(), loteList, request, usuario), motivosOfLote(db(), abierto.lote.id)])
    : [null, []];
  return {
    hoy,
    abiertos: toWire(abiertos),
    mes: toWire(resumen),
    sinNota,
    aviso: whyNotYet(mes, new Date()) ?? null,
    tabla,
    ver,
    articulos: toWire(articulos),
    lista,
    resultado,
    motivos,
    lote: abierto ? toWire(abierto) : null,
    factura: can(usuario, 'mes.facturar'),
  };

  async function openTabla(one: Tabla) {
    if (one === 'ordenes') return { tabla: one, lista: await openList(db(), listasDelMes.ordenes, request, usuario) };
    if (one === 'refacturacion')
      return { tabla: one, lista: await openList(db(), listasDelMes.refacturacion, request, usuario) };
    if (one === 'parciales')
      return { tabla: one, lista: await openList(db(), listasDelMes.parciales, request, usuario) };
    return { tabla: one, lista: await openList(db(), listasDelMes.devueltas, request, usuario) };
  }
}

/** Throws `NotAllowed` for a person who may issue credit notes but not the global. */
function requireTabla(usuario: Usuario, tabla: Tabla): void {
  if (tabla === 'ordenes') requireRight(usuario, 'mes.facturar');
}

export const action = defineActions({
  emitir: {
    schema: EmitirMes,
    right: 'mes.acreditar',
    confirm: async (db, { tabla, mes }, usuario, { now }) => {
      requireTabla(usuario, tabla);
      return questionOf(tabla, mes, mes === mesOf(now), await totalesOf(db, tabla, mes));
    },
    run: (db, { tabla, mes, ...visto }, usuario, { now }) => {
      requireTabla(usuario, tabla);
      const pedido = { mes, usuarioId: usuario.id, now, visto };
      return tabla === 'ordenes' ? generateGlobal(db, pedido) : issueNotas(db, { ...pedido, tabla });
    },
    to: ({ tabla, mes }, { search }) =>
      withParams(search, { mes, tabla, lote: null, pagina: null, ver: null, q: null }),
  },
  reintentar: {
    schema: ReintentarLote,
    right: 'mes.acreditar',
    run: async (db, { lote }, usuario, { now }) => {
      const found = await readBatchOfMes(db, lote);
      if (!found) throw new NotAllowed('Error.', 'Ese lote ya no existe.');
      requireTabla(usuario, found.tabla);
      const retry = { batchId: found.lote.id, mes: found.mes, usuarioId: usuario.id, now };
      return found.tabla === 'ordenes' ? retryGlobal(db, retry) : retryNotas(db, { ...retry, tabla: found.tabla });
    },
  },
});

/** The screen that closes the month: its global, and the notas de crédito of sales invoiced twice or returned. */
export default function FacturacionGeneral() {
  const loaded = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const elegir = <MesPicker mes={loaded.mes?.mes ?? ''} max={loaded.hoy} without={['tabla', 'lote', 'q', 'orden']} />;

  return (
    <>
      <PageHeader titulo="Facturación general" nota={loaded.mes && capitalize(nombreOfMes(loaded.mes.mes))} />
      <Asked cancelar={search} />
      <Refusal of="emitir" />
      <Refusal of="reintentar" />
      {loaded.mes === null ? (
        <>
          <div className="mes-barra">{elegir}</div>
          <div className="hoja">
            <MesesAbiertos meses={loaded.abiertos} />
            <EmptyState>Selecciona un mes para ver sus ordenes.</EmptyState>
          </div>
        </>
      ) : (
        <>
          {loaded.lote && <Volver lote={loaded.lote.lote} />}
          <div className="mes-lado">
            {loaded.aviso && <Panel tono="aviso">{loaded.aviso}</Panel>}
            {loaded.lote && <Motivos lote={loaded.lote.lote} motivos={loaded.motivos} />}
            <SinNota ventas={loaded.sinNota} />
            <Tablas mes={loaded.mes} activa={loaded.lote ? null : loaded.tabla} area={area} factura={loaded.factura} />
            <Excluidas excluidas={loaded.mes.excluidas} area={area} />
            <OtrosAbiertos meses={loaded.abiertos} este={loaded.mes.mes} />
          </div>
          {loaded.resultado && loaded.lote && (
            <Resultado lista={loaded.resultado} lote={loaded.lote.lote} area={area}>
              {elegir}
            </Resultado>
          )}
          {loaded.lista && (
            <Ventas {...loaded.lista} ver={loaded.ver} articulos={loaded.articulos} area={area}>
              {elegir}
            </Ventas>
          )}
        </>
      )}
    </>
  );
}
