import { sql } from 'kysely';
import { z } from 'zod';
import { listFields } from '~/core/listFields';
import { contains, defineList } from '~/platform/lists/list.server';
import { SESIONES } from './sesiones.server';
import { ROL_LABEL, ROLES } from '~/core/usuario';

const SORTS = ['fecha', 'usuario', 'nombre', 'apellidos', 'email', 'estatus', 'rol'] as const;

/** `deRol` is the role of the person who looks, as the session tells it; without one, the role that sees least. */
const UsuariosFilter = z.object({ ...listFields(SORTS, '-fecha'), deRol: z.enum(ROLES).catch('admin') });

/** The list of everyone who may sign in. Only an sa sees the sa: `deRol` comes from the session, and no address can set it. */
export const usuariosList = defineList({
  lista: 'usuarios',
  titulo: 'Usuarios',
  todas: 'Todos',
  filtro: UsuariosFilter,
  id: 'usuario.id',
  idsGrow: true,
  sorts: {
    fecha: sql.ref('usuario.fechaCreacion'),
    usuario: sql`lower(${sql.ref('usuario.usuario')})`,
    nombre: sql.ref('usuario.nombre'),
    apellidos: sql.ref('usuario.apellidos'),
    email: sql`lower(${sql.ref('usuario.email')})`,
    estatus: sql.ref('usuario.activo'),
    rol: sql.ref('usuario.rol'),
  },
  matches: (db, { q, deRol }) =>
    db
      .selectFrom('usuario')
      .$if(deRol !== 'sa', (usuarios) => usuarios.where('usuario.rol', '<>', 'sa'))
      .$if(q !== '', (usuarios) => usuarios.where(contains('usuario.busqueda', q))),
  rows: (db) =>
    db
      .selectFrom('usuario')
      .select([
        'usuario.id',
        'usuario.fechaCreacion',
        'usuario.usuario',
        'usuario.nombre',
        'usuario.apellidos',
        'usuario.email',
        'usuario.activo',
        'usuario.rol',
        'usuario.version',
        SESIONES.as('sesiones'),
      ]),
  totales: (usuarios) =>
    usuarios.select(({ fn }) => fn.countAll<number>().filterWhere('usuario.activo', '=', true).as('activos')),
  excel: {
    hoja: 'Usuarios',
    columnas: [
      { header: 'Fecha de creación', tipo: 'fechaHora', valor: (usuario) => usuario.fechaCreacion },
      { header: 'Usuario', tipo: 'texto', ancho: 18, valor: (usuario) => usuario.usuario },
      { header: 'Nombre', tipo: 'texto', ancho: 20, valor: (usuario) => usuario.nombre },
      { header: 'Apellidos', tipo: 'texto', ancho: 24, valor: (usuario) => usuario.apellidos },
      { header: 'Email', tipo: 'texto', ancho: 28, valor: (usuario) => usuario.email },
      { header: 'Estatus', tipo: 'texto', ancho: 10, valor: (usuario) => (usuario.activo ? 'Activo' : 'Inactivo') },
      { header: 'Rol', tipo: 'texto', ancho: 16, valor: (usuario) => ROL_LABEL[usuario.rol] },
    ],
  },
});
