import { NativeSelect } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { CAUSA_LABEL } from '~/domain/cierre/conciliacion/concepto';
import { note, readRegla, saveRegla } from '~/domain/cierre/conciliacion/conciliacion.server';
import { Anotacion, Regla } from '~/domain/cierre/conciliacion/conciliacionForm';
import { ajustesList, conciliadasList, depositosList } from '~/domain/cierre/conciliacion/listConciliacion.server';
import { openList } from '~/platform/lists/list.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import { defineActions, defineRows } from '~/http/actions.server';
import { PageHeader } from '~/ui/Blocks';
import { DataTable, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Field } from '~/ui/Field';
import { useFichaOf } from '~/ui/ficha/FichaDe';
import { perezoso } from '~/ui/perezoso';
import { Pesos } from '~/ui/Pesos';
import { RangoFechas } from '~/ui/RangoFechas';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { abiertaIn } from '~/routes/area/abierta';
import { conciliadaOf, depositoOf } from './abierta';
import '../reportes/reportes.css';

export { shouldRevalidate } from '~/ui/ficha/soloFicha';

const depositoFicha = perezoso('DepositoFicha', async () => ({
  default: (await import('./Fichas')).DepositoFicha,
}));
const conciliadaFicha = perezoso('ConciliadaFicha', async () => ({
  default: (await import('./Fichas')).ConciliadaFicha,
}));
const AUSENTE = { titulo: 'No está aquí', texto: 'El enlace nombra algo que todavía no se ha liquidado.' };

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
      abierta: await abiertaIn(request, usuario, conciliadaOf),
    };
  if (por === 'ajustes')
    return { ...comun, por: 'ajustes' as const, lista: await openList(db(), ajustesList, request, usuario) };
  return {
    ...comun,
    por: 'depositos' as const,
    lista: await openList(db(), depositosList, request, usuario),
    abierta: await abiertaIn(request, usuario, depositoOf),
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
    width: 150,
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
    width: 150,
    align: 'right',
    cell: ({ diferencia }) => <Cantidad valor={diferencia} />,
    total: ({ diferencia }) => <Cantidad valor={diferencia} />,
  },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 130,
    cell: ({ difiere }) => <Estatus tono={difiere ? 'mal' : 'ok'}>{difiere ? 'Con diferencia' : 'Cuadra'}</Estatus>,
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
    width: 150,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ numOrden }) => numOrden,
  },
  { header: 'Título', tarjeta: 'titulo', cell: ({ titulo }) => <span title={titulo}>{titulo}</span> },
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
    cell: ({ difiere }) => <Estatus tono={difiere ? 'mal' : 'ok'}>{difiere ? 'Con diferencia' : 'Cuadra'}</Estatus>,
  },
];

const AJUSTES: Column<Ajuste, De<'ajustes'>['lista']['totales']>[] = [
  { header: 'Fecha', tarjeta: 'fecha', sort: 'fecha', width: 150, cell: ({ en }) => <Fecha valor={en} /> },
  {
    header: 'No. Orden',
    tarjeta: 'numero',
    width: 160,
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

/** What each marketplace kept, and why: by deposit, by sale, and what moved in months that had ended. */
export default function Conciliacion() {
  const datos = useLoaderData<typeof loader>();
  const area = useArea();
  return (
    <>
      <PageHeader titulo="Conciliación">
        {(['depositos', 'ventas', 'ajustes'] as const).map((por) => (
          <a
            key={por}
            className="boton"
            aria-current={por === datos.por ? 'page' : undefined}
            data-tono={por === datos.por ? 'acento' : undefined}
            href={por === 'depositos' ? `${area}/conciliacion` : `${area}/conciliacion?por=${por}`}
          >
            {{ depositos: 'Por depósito', ventas: 'Por venta', ajustes: 'Ajustes' }[por]}
          </a>
        ))}
      </PageHeader>
      {datos.por === 'ventas' ? (
        <PorVenta {...datos} />
      ) : datos.por === 'ajustes' ? (
        <Ajustes {...datos} />
      ) : (
        <PorDeposito {...datos} />
      )}
    </>
  );
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
  const area = useArea();
  const ficha = useFichaOf({
    lista,
    area,
    inicial: abierta,
    que: 'Depósito',
    ausente: AUSENTE,
    Dentro: depositoFicha.Part,
    anticipar: depositoFicha.anticipar,
    edita: true,
  });
  return (
    <DataTable
      lista={lista}
      columns={DEPOSITOS}
      rowKey={({ id }) => id}
      tone={({ difiere }) => (difiere ? 'mal' : undefined)}
      vacia={{ nada: 'Todavía no hay depósitos. Llegan con el reporte de cada mercado.' }}
      label="Depósitos"
      placeholder="No. de orden"
      area={area}
      opens
      ficha={ficha}
      nombra={({ clave }) => `el depósito ${clave}`}
    >
      <RangoFechas {...lista.filtro} without={['difieren']}>
        <Difieren valor={lista.filtro.difieren} />
      </RangoFechas>
      {puede && <Tolerancia key={regla.version} {...regla} />}
    </DataTable>
  );
}

function PorVenta({ lista, abierta, regla, puede }: De<'ventas'>) {
  const area = useArea();
  const ficha = useFichaOf({
    lista,
    area,
    inicial: abierta,
    que: 'Orden',
    ausente: AUSENTE,
    Dentro: conciliadaFicha.Part,
    anticipar: conciliadaFicha.anticipar,
    edita: true,
  });
  return (
    <DataTable
      lista={lista}
      columns={VENTAS}
      rowKey={({ id }) => id}
      tone={({ difiere }) => (difiere ? 'mal' : undefined)}
      vacia={{ nada: 'Todavía no hay ventas liquidadas.' }}
      label="Ventas liquidadas"
      placeholder="No. de orden o título"
      area={area}
      opens
      ficha={ficha}
      nombra={({ numOrden }) => `la orden ${numOrden}`}
    >
      <RangoFechas {...lista.filtro} without={['difieren']}>
        <Difieren valor={lista.filtro.difieren} />
      </RangoFechas>
      {puede && <Tolerancia key={regla.version} {...regla} />}
    </DataTable>
  );
}

function Ajustes({ lista }: De<'ajustes'>) {
  const area = useArea();
  return (
    <DataTable
      lista={lista}
      columns={AJUSTES}
      rowKey={({ id }) => id}
      vacia={{ nada: 'Ningún mes cerrado se ha movido.' }}
      label="Ajustes de meses cerrados"
      placeholder="No. de orden"
      area={area}
    >
      <RangoFechas {...lista.filtro} />
    </DataTable>
  );
}
