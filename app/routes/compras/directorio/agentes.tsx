import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { usuarioOf } from '~/access/session.server';
import { useArea } from '~/access/useArea';
import type { Question } from '~/core/fieldRules';
import { enLinea } from '~/core/hechos';
import { withParamOf, withParams } from '~/core/list';
import { defineActions, outcome } from '~/http/actions.server';
import { openList } from '~/platform/lists/list.server';
import {
  agentesList,
  createAgente,
  findAgente,
  saveAgente,
  setAgenteActivo,
} from '~/domain/compras/directorio/agentes.server';
import { AgenteEditado, EstatusDeAgente, NewAgente } from '~/domain/compras/directorio/forms';
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
  const search = new URL(request.url).searchParams;
  const [lista, proveedores, editado] = await Promise.all([
    openList(db(), agentesList, request, usuarioOf(context)),
    listProveedores(db()),
    findAgente(db(), search.get('editar') ?? ''),
  ]);
  const offered = proveedores
    .filter(({ activo, value }) => activo || value === editado?.proveedor)
    .map(({ value, label }) => ({ value, label }));
  return { lista, proveedores: offered, agregar: search.get('agregar') === '1', editado: editado ?? null };
}

export const action = defineActions({
  agregar: {
    schema: NewAgente,
    right: 'proveedores.editar',
    commit: async (trx, agente, usuario) => void (await createAgente(trx, agente, usuario.id)),
    to: (_, { search }) => withParams(search, { agregar: null }),
    aviso: 'Se agrego al agente correctamente.',
  },
  editar: {
    schema: AgenteEditado,
    right: 'proveedores.editar',
    commit: (trx, agente, usuario) => saveAgente(trx, agente, usuario.id),
    to: (_, { search }) => withParams(search, { editar: null }),
    aviso: 'Datos actualizados correctamente',
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
    width: 168,
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

const accionesOf = (agente: Row, con: ReturnType<typeof withParamOf>): AccionDeFila[] => {
  const { id, version, activo } = agente;
  const cambia = activo ? 'Desactivar' : 'Activar';
  return [
    { texto: 'Editar', nombre: `Editar a ${nombreOf(agente)}`, href: con('editar', id) },
    {
      texto: cambia,
      nombre: `${cambia} a ${nombreOf(agente)}`,
      envia: { intent: 'estatus', id, version, activo: !activo },
      pregunta: () => preguntaEstatus(!activo, agente),
    },
  ];
};

export default function AgentesVentas() {
  const { lista, proveedores, agregar, editado } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const area = useArea();
  const cerrado = withParams(search, { agregar: null, editar: null });
  const con = withParamOf(search, { agregar: null, menu: null });
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
      enFila={{ ancho: 120, tarjeta: 'menu', de: (agente) => accionesOf(agente, con) }}
      cancelar={cerrado}
      refusals={['estatus']}
    >
      {agregar && (
        <Dialog titulo="Crear agente" cerrar={cerrado}>
          <AgenteForm proveedores={proveedores} cerrar={cerrado} />
        </Dialog>
      )}
      {editado && (
        <Dialog titulo="Editar agente" cerrar={cerrado}>
          <AgenteForm key={editado.version} agente={editado} proveedores={proveedores} cerrar={cerrado} />
        </Dialog>
      )}
    </ListScreen>
  );
}
