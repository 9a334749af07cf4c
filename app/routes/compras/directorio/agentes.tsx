import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import type { Question } from '~/core/fieldRules';
import { enLinea } from '~/core/hechos';
import { withParams } from '~/core/list';
import { defineActions, outcome } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import { agentesList, createAgente, findAgente, setAgenteActivo } from '~/domain/compras/directorio/agentes.server';
import { EstatusDeAgente, NewAgente } from '~/domain/compras/directorio/forms';
import { listProveedores } from '~/domain/compras/directorio/proveedores.server';
import { ListScreen } from '~/ui/ListScreen';
import { Agregar } from '~/ui/Agregar';
import { NombreDe, type AccionDeFila, type Column } from '~/ui/DataTable';
import { Dialog } from '~/ui/Dialog';
import { deferredPart } from '~/ui/deferredPart';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { db } from '~db/shared.server';

const AgenteForm = deferredPart('AgenteForm', () => import('./AgenteForm').then(({ AgenteForm }) => AgenteForm));

export const meta: MetaFunction = () => [{ title: 'Venta Agentes' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [lista, proveedores] = await Promise.all([
    openList(db(), agentesList, request, usuarioOf(context)),
    listProveedores(db()),
  ]);
  const offered = proveedores.filter(({ activo }) => activo).map(({ value, label }) => ({ value, label }));
  return { lista, proveedores: offered, agregar: new URL(request.url).searchParams.get('agregar') === '1' };
}

export const action = defineActions({
  agregar: {
    schema: NewAgente,
    right: 'proveedores.editar',
    commit: async (trx, agente, usuario) => void (await createAgente(trx, agente, usuario.id)),
    to: (_, { search }) => withParams(search, { agregar: null }),
    aviso: 'Se agrego al agente correctamente.',
  },
  estatus: {
    schema: EstatusDeAgente,
    right: 'proveedores.editar',
    confirm: async (db, { id, activo }) => {
      const agente = await findAgente(db, id);
      return agente ? preguntaEstatus(activo, agente) : null;
    },
    commit: async (trx, estatus, usuario) => {
      const agente = await setAgenteActivo(trx, estatus, usuario.id);
      return outcome({ aviso: `El estatus del agente ${nombreOf(agente)} se cambio correctamente.` });
    },
    to: (_, { search }) => withParams(search, { agregar: null }),
  },
});

const nombreOf = ({ nombre, apellidos }: { nombre: string; apellidos: string }) => `${nombre} ${apellidos}`;

type Agente = Record<'nombre' | 'apellidos' | 'email' | 'proveedorLabel', string>;
const preguntaEstatus = (activo: boolean, agente: Agente): Question => ({
  titulo: activo ? 'Activar agente' : 'Desactivar agente',
  texto: `¿Esta seguro/a que desea ${activo ? 'Activar' : 'Desactivar'} al agente ${nombreOf(agente)}?`,
  hechos: `${enLinea(agente.proveedorLabel, agente.email)}. ${activo ? 'Vuelve a recibir' : 'Deja de recibir'} los correos de las ventas.`,
});

type Lista = ReturnType<typeof useLoaderData<typeof loader>>['lista'];
type Row = Lista['ventana']['filas'][number];

const columns: Column<Row, Lista['totales']>[] = [
  {
    header: 'Fecha de creación',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 150,
    hideUnder: 'md',
    cell: (agente) => <Fecha valor={agente.fechaCreacion} />,
  },
  {
    header: 'Nombre',
    sort: 'nombre',
    width: 150,
    tarjeta: 'titulo',
    cell: ({ nombre, apellidos }) => <NombreDe nombre={nombre} apellidos={apellidos} />,
  },
  { header: 'Apellidos', sort: 'apellidos', width: 170, cell: (agente) => agente.apellidos },
  { header: 'Email', sort: 'email', tarjeta: 'numero', cell: (agente) => agente.email },
  { header: 'Proveedor', sort: 'proveedor', width: 140, tarjeta: 'factura', cell: (agente) => agente.proveedorLabel },
  {
    header: 'Estatus',
    tarjeta: 'estatus',
    sort: 'estatus',
    width: 100,
    cell: ({ activo }) => <Estatus tono={activo ? 'ok' : 'mal'}>{activo ? 'Activo' : 'Inactivo'}</Estatus>,
  },
];

const accionesOf = (agente: Row): AccionDeFila[] => {
  const { id, version, activo } = agente;
  const cambia = activo ? 'Desactivar' : 'Activar';
  return [
    {
      texto: cambia,
      nombre: `${cambia} a ${nombreOf(agente)}`,
      envia: { intent: 'estatus', id, version, activo: !activo },
      pregunta: () => preguntaEstatus(!activo, agente),
    },
  ];
};

export default function AgentesVentas() {
  const { lista, proveedores, agregar } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const cerrado = withParams(search, { agregar: null });
  return (
    <ListScreen
      titulo="Venta Agentes"
      botones={
        <>
          <Link className="boton" to={`${area}/proveedores`}>
            Proveedores
          </Link>
          <Agregar>Crear agente</Agregar>
        </>
      }
      lista={lista}
      columns={columns}
      rowKey={(agente) => agente.id}
      nombra={nombreOf}
      placeholder="Nombre, email o proveedor"
      vacia={{ nada: 'Todavía no hay agentes: crea el primero, y recibirá los correos de las ventas.' }}
      enFila={{ ancho: 120, tarjeta: 'menu', de: accionesOf }}
      cancelar={cerrado}
      refusals={['estatus']}
    >
      {agregar && (
        <Dialog titulo="Crear agente" cerrar={cerrado}>
          <AgenteForm proveedores={proveedores} cerrar={cerrado} />
        </Dialog>
      )}
    </ListScreen>
  );
}
