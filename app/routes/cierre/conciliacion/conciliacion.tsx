import { NativeSelect } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { CAUSA_LABEL, estatusDeLiberacion } from '~/domain/cierre/conciliacion/concepto';
import { note, readRegla, saveRegla } from '~/domain/cierre/conciliacion/conciliacion.server';
import { Anotacion, BusquedaDeSuelto, MotivoDicho, Regla } from '~/domain/cierre/conciliacion/conciliacionForm';
import { ajustesList, conciliadasList, depositosList } from '~/domain/cierre/conciliacion/listConciliacion.server';
import { porLiberarList } from '~/domain/cierre/conciliacion/listPorLiberar.server';
import { sueltosList } from '~/domain/cierre/conciliacion/listSueltos.server';
import { busquedaOf, CLASE_DE_SUELTO_LABEL, MOTIVO_DE_SUELTO_LABEL } from '~/domain/cierre/conciliacion/suelto';
import { decideSuelto, requestVenta } from '~/domain/cierre/conciliacion/sueltos.server';
import { openList } from '~/platform/lists/list.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { defineActions, defineRows } from '~/http/actions.server';
import { ListScreen } from '~/ui/ListScreen';
import { definePanel } from '~/ui/ficha/panel';
import { type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { Pesos } from '~/ui/Pesos';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { Cuadre } from './Cuadre';
import { textoDeReclamo } from './textoDeReclamo';
import { conciliadaOf, depositoOf, sueltoOf } from './record';
import '../reportes/reportes.css';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const AUSENTE = { titulo: 'No está aquí', texto: 'El enlace nombra algo que todavía no se ha liquidado.' };
const DEPOSITO = definePanel('DepositoFicha', {
  load: async () => (await import('./Fichas')).DepositoFicha,
  que: 'Depósito',
  ausente: AUSENTE,
  edita: true,
});
const VENTA = definePanel('ConciliadaFicha', {
  load: async () => (await import('./Fichas')).ConciliadaFicha,
  que: 'Orden',
  ausente: AUSENTE,
  edita: true,
});
const SUELTO = definePanel('SueltoFicha', {
  load: async () => (await import('./SueltoFicha')).SueltoFicha,
  que: 'Dinero sin identificar',
  ausente: { titulo: 'Ya no está aquí', texto: 'Sus renglones ya son de una venta, o el enlace nombra otra cosa.' },
  edita: true,
});

export const meta: MetaFunction = () => [{ title: 'Conciliación' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const usuario = usuarioOf(context);
  const por = new URL(request.url).searchParams.get('por');
  const regla = await readRegla(db());
  const comun = {
    regla: { tolerancia: regla.tolerancia.toFixed(2), version: regla.version },
    puede: can(usuario, 'conciliacion.anotar'),
  };
  if (por === 'ventas')
    return {
      ...comun,
      por: 'ventas' as const,
      lista: await openList(db(), conciliadasList, request, usuario),
      abierta: await openRecord(request, usuario, conciliadaOf),
    };
  if (por === 'ajustes')
    return { ...comun, por: 'ajustes' as const, lista: await openList(db(), ajustesList, request, usuario) };
  if (por === 'liberar')
    return { ...comun, por: 'liberar' as const, lista: await openList(db(), porLiberarList, request, usuario) };
  if (por === 'sueltos')
    return {
      ...comun,
      por: 'sueltos' as const,
      lista: await openList(db(), sueltosList, request, usuario),
      abierta: await openRecord(request, usuario, sueltoOf),
    };
  return {
    ...comun,
    por: 'depositos' as const,
    lista: await openList(db(), depositosList, request, usuario),
    abierta: await openRecord(request, usuario, depositoOf),
  };
}

export const action = defineActions({
  ...defineRows({
    anotarDeposito: {
      schema: Anotacion,
      right: 'conciliacion.anotar',
      commit: (trx, form, usuario) => note(trx, 'deposito', form, usuario.id),
      aviso: 'Se guardó el motivo.',
    },
    anotarVenta: {
      schema: Anotacion,
      right: 'conciliacion.anotar',
      commit: (trx, form, usuario) => note(trx, 'conciliacion', form, usuario.id),
      aviso: 'Se guardó el motivo.',
    },
    decirMotivo: {
      schema: MotivoDicho,
      right: 'conciliacion.anotar',
      commit: (trx, form, usuario) => decideSuelto(trx, form, usuario.id),
      aviso: 'Se guardó el motivo.',
    },
    buscarVenta: {
      schema: BusquedaDeSuelto,
      right: 'conciliacion.anotar',
      commit: (trx, form, usuario) => requestVenta(trx, form, usuario.id),
      aviso: 'La venta se busca en el mercado.',
    },
  }),
  tolerancia: {
    schema: Regla,
    right: 'conciliacion.anotar',
    commit: (trx, form, usuario) => saveRegla(trx, form, usuario.id),
    aviso: 'Se guardó la tolerancia.',
  },
});

type Datos = ReturnType<typeof useLoaderData<typeof loader>>;
type De<Por extends Datos['por']> = Extract<Datos, { por: Por }>;
type Deposito = De<'depositos'>['lista']['ventana']['filas'][number];
type Venta = De<'ventas'>['lista']['ventana']['filas'][number];
type PorLiberada = De<'liberar'>['lista']['ventana']['filas'][number];
type Suelto = De<'sueltos'>['lista']['ventana']['filas'][number];
type Ajuste = De<'ajustes'>['lista']['ventana']['filas'][number];

const Reclamo = ({ motivo, reclamadoEn }: { motivo: string | null; reclamadoEn: string | null }) => (
  <>
    {reclamadoEn && <Estatus tono="aviso">Reclamado</Estatus>} <span title={motivo ?? undefined}>{motivo}</span>
  </>
);

const Cantidad = ({ valor }: { valor: string }) =>
  Number(valor) === 0 ? (
    <>—</>
  ) : (
    <span className={valor.startsWith('-') ? 'perdida' : undefined}>
      <Pesos valor={valor} />
    </span>
  );

const DEPOSITOS: Column<Deposito, De<'depositos'>['lista']['totales']>[] = [
  {
    header: 'Fecha',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 134,
    opens: true,
    cell: ({ fecha }) => <Fecha valor={fecha} />,
  },
  { header: 'Mercado', tarjeta: 'titulo', width: 130, cell: ({ market }) => MERCADOS[market].label },
  {
    header: 'Depósito',
    tarjeta: 'monto',
    sort: 'importe',
    width: 124,
    align: 'right',
    cell: ({ importe }) => <Pesos valor={importe} />,
    total: ({ importe }) => <Pesos valor={importe} />,
  },
  { header: 'Movimientos', width: 124, align: 'right', cell: ({ suma }) => <Pesos valor={suma} /> },
  {
    header: 'Queda',
    width: 110,
    align: 'right',
    hideUnder: 'md',
    cell: ({ saldoDespues }) => <Pesos valor={saldoDespues} />,
  },
  {
    header: 'Sin explicar',
    width: 116,
    align: 'right',
    cell: ({ sinExplicar }) => <Cantidad valor={sinExplicar} />,
    total: ({ sinExplicar }) => <Cantidad valor={sinExplicar} />,
  },
  {
    header: 'Diferencia en ventas',
    sort: 'diferencia',
    width: 158,
    align: 'right',
    cell: ({ diferencia }) => <Cantidad valor={diferencia} />,
    total: ({ diferencia }) => <Cantidad valor={diferencia} />,
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 130,
    cell: Cuadre,
  },
  { header: 'Motivo', cell: (deposito) => <Reclamo {...deposito} /> },
];

const VENTAS: Column<Venta, De<'ventas'>['lista']['totales']>[] = [
  {
    header: 'Liquidada',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 138,
    opens: true,
    cell: ({ fecha }) => <Fecha valor={fecha} />,
  },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ numOrden }) => numOrden,
  },
  { header: 'Título', tarjeta: 'titulo', cell: ({ titulo }) => <span title={titulo}>{nombreCorto(titulo)}</span> },
  {
    header: 'Esperado',
    sort: 'esperado',
    width: 104,
    align: 'right',
    cell: ({ esperado }) => <Pesos valor={esperado} />,
    total: ({ esperado }) => <Pesos valor={esperado} />,
  },
  {
    header: 'Recibido',
    tarjeta: 'monto',
    sort: 'recibido',
    width: 104,
    align: 'right',
    cell: ({ recibido }) => <Pesos valor={recibido} />,
    total: ({ recibido }) => <Pesos valor={recibido} />,
  },
  {
    header: 'Diferencia',
    sort: 'diferencia',
    width: 104,
    align: 'right',
    cell: ({ diferencia }) => <Cantidad valor={diferencia} />,
    total: ({ diferencia }) => <Cantidad valor={diferencia} />,
  },
  {
    header: 'Comisión',
    width: 92,
    align: 'right',
    hideUnder: 'md',
    cell: ({ dComision }) => <Cantidad valor={dComision} />,
  },
  { header: 'Envío', width: 84, align: 'right', hideUnder: 'md', cell: ({ dEnvio }) => <Cantidad valor={dEnvio} /> },
  {
    header: 'Retención',
    width: 92,
    align: 'right',
    hideUnder: 'md',
    cell: ({ dRetencion }) => <Cantidad valor={dRetencion} />,
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 136,
    cell: Cuadre,
  },
];

const AJUSTES: Column<Ajuste, De<'ajustes'>['lista']['totales']>[] = [
  { header: 'Fecha', tarjeta: 'fecha', sort: 'fecha', width: 150, cell: ({ en }) => <Fecha valor={en} /> },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ numOrden }) => numOrden,
  },
  { header: 'Mes de la venta', width: 130, cell: ({ mes }) => mes },
  { header: 'Por', tarjeta: 'titulo', cell: ({ causa }) => CAUSA_LABEL[causa] },
  { header: 'Utilidad antes', width: 130, align: 'right', cell: ({ antes }) => <Pesos valor={antes} /> },
  { header: 'Utilidad después', width: 140, align: 'right', cell: ({ despues }) => <Pesos valor={despues} /> },
  {
    header: 'Ajuste',
    tarjeta: 'monto',
    sort: 'diferencia',
    width: 120,
    align: 'right',
    cell: ({ diferencia }) => <Cantidad valor={diferencia} />,
    total: ({ diferencia }) => <Cantidad valor={diferencia} />,
  },
];

const LIBERAR: Column<PorLiberada, De<'liberar'>['lista']['totales']>[] = [
  {
    header: 'Se libera',
    tarjeta: 'fecha',
    sort: 'libera',
    width: 116,
    cell: ({ libera }) => (libera === null ? '—' : <Fecha valor={libera} hora={false} />),
  },
  { header: 'Vendida', sort: 'fecha', width: 104, cell: ({ fecha }) => <Fecha valor={fecha} hora={false} /> },
  { header: 'Mercado', width: 130, cell: ({ market }) => MERCADOS[market].label },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ market, numOrden }) => (
      <a href={MERCADOS[market].ventaUrl(numOrden)} target="_blank" rel="noopener noreferrer">
        {numOrden}
      </a>
    ),
  },
  { header: 'Título', tarjeta: 'titulo', cell: ({ titulo }) => <span title={titulo}>{nombreCorto(titulo)}</span> },
  {
    header: 'Por liberar',
    tarjeta: 'monto',
    sort: 'monto',
    width: 124,
    align: 'right',
    cell: ({ porLiberar, estimado }) => (
      <>
        {estimado && '≈ '}
        <Pesos valor={porLiberar} />
      </>
    ),
    total: ({ porLiberar }) => <Pesos valor={porLiberar} />,
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 150,
    copia: (venta) => [textoDeReclamo(venta)].filter((texto) => texto !== null),
    cell: (venta) =>
      venta.atrasada ? <Estatus tono="mal">{estatusDeLiberacion(venta)}</Estatus> : estatusDeLiberacion(venta),
  },
];

const SUELTOS: Column<Suelto, De<'sueltos'>['lista']['totales']>[] = [
  {
    header: 'Fecha',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 134,
    opens: true,
    cell: ({ hasta }) => <Fecha valor={hasta} />,
  },
  { header: 'Qué es', tarjeta: 'titulo', width: 170, cell: ({ clase }) => CLASE_DE_SUELTO_LABEL[clase] },
  {
    header: 'Importe',
    tarjeta: 'monto',
    sort: 'importe',
    width: 112,
    align: 'right',
    cell: ({ importe }) => <Cantidad valor={importe} />,
    total: ({ importe }) => <Cantidad valor={importe} />,
  },
  {
    header: 'Motivo',
    tarjeta: 'estatus',
    width: 206,
    cell: (suelto) =>
      suelto.motivo !== null ? (
        MOTIVO_DE_SUELTO_LABEL[suelto.motivo]
      ) : (
        <Estatus tono={suelto.porIdentificar ? 'mal' : 'aviso'}>{busquedaOf(suelto) ?? 'Por identificar'}</Estatus>
      ),
  },
  {
    header: 'Número',
    tarjeta: 'numero',
    width: 168,
    copia: ({ numero }) => (numero === null ? [] : [numero]),
    cell: ({ numero }) => numero ?? '—',
  },
  { header: 'Mercado', width: 120, cell: ({ market }) => MERCADOS[market].label },
  {
    header: 'Dicho por el mercado',
    hideUnder: 'md',
    cell: ({ detalle }) => <span title={detalle}>{detalle}</span>,
  },
];

/** The payouts of the marketplaces: by deposit, by sale, what is still to come, what is of no sale, and the changes to closed months. */
export default function Conciliacion() {
  const datos = useLoaderData<typeof loader>();
  if (datos.por === 'ventas') return <PorVenta {...datos} />;
  if (datos.por === 'liberar') return <PorLiberar {...datos} />;
  if (datos.por === 'sueltos') return <Sueltos {...datos} />;
  if (datos.por === 'ajustes') return <Ajustes {...datos} />;
  return <PorDeposito {...datos} />;
}

const CORTES = {
  depositos: 'Por depósito',
  ventas: 'Por venta',
  liberar: 'Por liberar',
  sueltos: 'Sin identificar',
  ajustes: 'Ajustes',
} as const;

/** The links between the lists of the screen. */
function Cortes({ de }: { de: keyof typeof CORTES }) {
  const area = useArea();
  return (['depositos', 'ventas', 'liberar', 'sueltos', 'ajustes'] as const).map((por) => (
    <a
      key={por}
      className="boton"
      aria-current={por === de ? 'page' : undefined}
      data-tono={por === de ? 'acento' : undefined}
      href={por === 'depositos' ? `${area}/conciliacion` : `${area}/conciliacion?por=${por}`}
    >
      {CORTES[por]}
    </a>
  ));
}

function Tolerancia({ tolerancia, version }: { tolerancia: string; version: number }) {
  const form = useActionForm<{ tolerancia: string }>('tolerancia', { defaultValue: { tolerancia } });
  return (
    <ActionForm of={form} className="rango">
      <Hidden version={version} />
      <Field field={form.fields.tolerancia} label="Tolerancia en pesos" inputMode="decimal" autoComplete="off" />
      <button type="submit" className="boton">
        Guardar tolerancia
      </button>
    </ActionForm>
  );
}

const Difieren = ({ valor }: { valor: string }) => (
  <NativeSelect
    key={valor}
    name="difieren"
    label="Mostrar"
    defaultValue={valor}
    data={[
      { value: '', label: 'Todo' },
      { value: '1', label: 'Con diferencia' },
    ]}
  />
);

function PorDeposito({ lista, abierta, regla, puede }: De<'depositos'>) {
  return (
    <ListScreen
      titulo="Conciliación"
      label="Depósitos"
      botones={<Cortes de="depositos" />}
      lista={lista}
      rango={{
        ...lista.filtro,
        without: ['difieren'],
        children: <Difieren valor={lista.filtro.difieren} />,
      }}
      filtros={puede && <Tolerancia key={regla.version} {...regla} />}
      plegados={puede}
      columns={DEPOSITOS}
      rowKey={({ id }) => id}
      nombra={({ clave }) => `el depósito ${clave}`}
      tone={({ difiere }) => (difiere ? 'mal' : undefined)}
      placeholder="No. de orden"
      vacia={{ nada: 'Todavía no hay depósitos. Llegan con el reporte de cada mercado.' }}
      panel={DEPOSITO}
      abierta={abierta}
    />
  );
}

function PorVenta({ lista, abierta, regla, puede }: De<'ventas'>) {
  return (
    <ListScreen
      titulo="Conciliación"
      label="Ventas liquidadas"
      botones={<Cortes de="ventas" />}
      lista={lista}
      rango={{
        ...lista.filtro,
        without: ['difieren'],
        children: <Difieren valor={lista.filtro.difieren} />,
      }}
      filtros={puede && <Tolerancia key={regla.version} {...regla} />}
      plegados={puede}
      columns={VENTAS}
      rowKey={({ id }) => id}
      nombra={({ numOrden }) => `la orden ${numOrden}`}
      tone={({ difiere }) => (difiere ? 'mal' : undefined)}
      placeholder="Orden, comprador o título"
      vacia={{ nada: 'Todavía no hay ventas liquidadas.' }}
      panel={VENTA}
      abierta={abierta}
    />
  );
}

function PorLiberar({ lista }: De<'liberar'>) {
  return (
    <ListScreen
      titulo="Conciliación"
      label="Dinero por liberar"
      botones={<Cortes de="liberar" />}
      lista={lista}
      columns={LIBERAR}
      rowKey={({ id }) => id}
      tone={({ atrasada }) => (atrasada ? 'mal' : undefined)}
      placeholder="Orden, comprador o título"
      vacia={{
        nada: 'Los mercados no tienen dinero tuyo por liberar, o todavía no se ha leído un reporte de liquidación.',
      }}
    />
  );
}

function Sueltos({ lista, abierta }: De<'sueltos'>) {
  return (
    <ListScreen
      titulo="Conciliación"
      label="Dinero sin identificar"
      botones={<Cortes de="sueltos" />}
      lista={lista}
      rango={lista.filtro}
      columns={SUELTOS}
      rowKey={({ id }) => id}
      nombra={({ clase, numero }) => `${CLASE_DE_SUELTO_LABEL[clase]} ${numero ?? ''}`.trim()}
      tone={({ porIdentificar }) => (porIdentificar ? 'mal' : undefined)}
      placeholder="Número, o lo que dice el mercado"
      vacia={{ nada: 'Todo lo que dicen las liquidaciones de este periodo es de una venta.' }}
      panel={SUELTO}
      abierta={abierta}
    />
  );
}

function Ajustes({ lista }: De<'ajustes'>) {
  return (
    <ListScreen
      titulo="Conciliación"
      label="Ajustes de meses cerrados"
      botones={<Cortes de="ajustes" />}
      lista={lista}
      rango={lista.filtro}
      columns={AJUSTES}
      rowKey={({ id }) => id}
      placeholder="No. de orden"
      vacia={{ nada: 'Ningún mes cerrado se ha movido.' }}
    />
  );
}
