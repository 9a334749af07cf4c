import { NativeSelect } from '@mantine/core';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '~/access/actions';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import { markUnprocessable } from '~/core/answerStatus.server';
import { toWire } from '~/core/list';
import { mesBefore } from '~/core/time';
import { note, readRegla, saveRegla } from '~/domain/cierre/conciliacion/conciliacion.server';
import { Anotacion, BusquedaDeSuelto, MotivoDicho, Regla } from '~/domain/cierre/conciliacion/conciliacionForm';
import { ajustesList, conciliadasList, depositosList } from '~/domain/cierre/conciliacion/listConciliacion.server';
import { porLiberarList } from '~/domain/cierre/conciliacion/listPorLiberar.server';
import { sueltosList } from '~/domain/cierre/conciliacion/listSueltos.server';
import { CLASE_DE_SUELTO_LABEL } from '~/domain/cierre/conciliacion/suelto';
import { readMesCerrado } from '~/domain/cierre/conciliacion/mesCerrado.server';
import { decideSuelto, requestVenta } from '~/domain/cierre/conciliacion/sueltos.server';
import { mesOf, mesProblem } from '~/domain/facturacion/mes/mes';
import { openAtMes } from '~/http/mesDebido.server';
import { openList } from '~/platform/lists/list.server';
import { defineActions, defineRows } from '~/http/actions.server';
import { PageHeader } from '~/ui/Blocks';
import { ListScreen } from '~/ui/ListScreen';
import { MesPicker } from '~/ui/MesPicker';
import { definePanel } from '~/ui/ficha/panel';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { db } from '~db/shared.server';
import { openRecord } from '~/routes/area/openRecord';
import { AJUSTES, DEPOSITOS, LIBERAR, SUELTOS, VENTAS } from './columnas';
import { MesCerradoVista } from './MesCerrado';
import { conciliadaOf, depositoOf, sueltoOf } from './record';
import '../../facturacion/mes/facturacionGeneral.css';
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
  if (por === 'mes') {
    const ahora = new Date();
    openAtMes(request, mesBefore(mesOf(ahora)));
    const asked = new URL(request.url).searchParams.get('mes');
    const aviso = mesProblem(asked, 'Se muestra el mes anterior.');
    if (aviso) markUnprocessable(request);
    const mes = asked && !aviso ? asked : mesBefore(mesOf(ahora));
    return {
      ...comun,
      por: 'mes' as const,
      hoy: mesOf(ahora),
      mes,
      aviso,
      dicho: toWire(await readMesCerrado(db(), mes, ahora)),
    };
  }
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
      termina: true,
      commit: (trx, form, usuario) => decideSuelto(trx, form, usuario.id),
      aviso: 'Se guardó el motivo.',
    },
    buscarVenta: {
      schema: BusquedaDeSuelto,
      right: 'conciliacion.anotar',
      termina: true,
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

/** The payouts of the marketplaces: by deposit, by sale, what is still to come, what is of no sale, and the changes to closed months. */
export default function Conciliacion() {
  const datos = useLoaderData<typeof loader>();
  if (datos.por === 'ventas') return <PorVenta {...datos} />;
  if (datos.por === 'liberar') return <PorLiberar {...datos} />;
  if (datos.por === 'sueltos') return <Sueltos {...datos} />;
  if (datos.por === 'mes') return <PorMes {...datos} />;
  if (datos.por === 'ajustes') return <Ajustes {...datos} />;
  return <PorDeposito {...datos} />;
}

const CORTES = {
  depositos: 'Por depósito',
  ventas: 'Por venta',
  liberar: 'Por liberar',
  sueltos: 'Sin identificar',
  ajustes: 'Ajustes',
  mes: 'Mes cerrado',
} as const;

/** The links between the lists of the screen. The closed month is a step from its adjustments: beside an open record there is no room for one more. */
function Cortes({ de }: { de: keyof typeof CORTES }) {
  const area = useArea();
  const cuales = (Object.keys(CORTES) as (keyof typeof CORTES)[]).filter(
    (por) => por !== 'mes' || de === 'mes' || de === 'ajustes',
  );
  return cuales.map((por) => (
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

function PorMes({ mes, hoy, aviso, dicho }: De<'mes'>) {
  return (
    <>
      <PageHeader titulo="Conciliación">
        <Cortes de="mes" />
      </PageHeader>
      {aviso && (
        <p className="panel" data-tono="aviso" role="alert">
          {aviso}
        </p>
      )}
      <div className="mes-barra">
        <MesPicker mes={mes} max={hoy} />
      </div>
      <MesCerradoVista dicho={dicho} />
    </>
  );
}
