import { z } from 'zod';
import { can, requireRight } from '~/access/actions';
import { mayReadList, rolesOfList } from '~/access/lists';
import { colasOf } from '~/access/hoy.server';
import { isInicial, isPantallaOf } from '~/access/menu';
import { APARIENCIAS, DENSIDADES } from '~/core/aspecto';
import { FORMATOS_DE_ETIQUETA } from '~/core/formatoDeEtiqueta';
import { NotAllowed } from '~/core/errors';
import { Texto } from '~/core/fields';
import { ROLES, type Rol, type Usuario } from '~/core/usuario';
import { estadoOf } from '~/core/vistas';
import { findList } from '~/domain/operacion/exports/lists.server';
import {
  CerrarDemas,
  CerrarSesion,
  InformacionGeneral,
  NewClaveApi,
  NewTokenApi,
  PasswordPropio,
} from '~/domain/personal/forms';
import { dispositivoDicho } from '~/domain/personal/navegador';
import { COLAS } from '~/domain/operacion/hoyCatalog.server';
import {
  asideCarta,
  foldGroup,
  pinPantalla,
  savePreferencias,
  widenPanel,
} from '~/domain/personal/preferencias.server';
import { requirePassword } from '~/domain/personal/prueba.server';
import { closeOtherSessions, closeOwnSession, listSesiones } from '~/domain/personal/sesiones.server';
import { createClaveApi, listClavesApi, revokeClaveApi } from '~/domain/personal/clavesApi.server';
import { createTokenApi, listTokensApi, revokeTokenApi } from '~/domain/personal/tokensApi.server';
import { changePassword, findUsuario, updateOwnInformacion } from '~/domain/personal/usuarios.server';
import {
  MAX_VISTAS,
  restoreVista,
  retireVista,
  saveVista,
  updateVista,
  vistasQuery,
} from '~/platform/lists/vistas.server';
import { sendPrueba } from '~/platform/webhooks/announce.server';
import { DeReceptor, NuevoGancho, UnaEntrega, UnGancho } from '~/platform/webhooks/forms';
import { TIPOS } from '~/platform/webhooks/gancho';
import {
  createGancho,
  listGanchos,
  removeGancho,
  requireDireccion,
  resend,
  rotateSecreto,
} from '~/platform/webhooks/ganchos.server';
import type { Db, Trx } from '~db/client.server';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall } from '../form.server';
import { found } from '../problem.server';
import { Instante } from '../wire';
import { ById } from './ordenes.server';

const propia = { alcance: 'cuenta', acceso: { pantalla: 'datosUsuario' } } as const;
const cerrar = { alcance: 'cuenta', acceso: { pantalla: 'datosUsuario', derecho: 'cuenta.sesiones' } } as const;

const Cuenta = z.object({
  id: z.uuid(),
  usuario: z.string(),
  nombre: z.string(),
  apellidos: z.string(),
  email: z.string(),
  rol: z.enum(ROLES),
  version: z.int(),
});
const cuentaOf = (db: Db | Trx, usuario: Usuario) => found(findUsuario(db, usuario, usuario.id));

const Secreto = z.object({ secreto: z.string().meta({ description: 'Se dice una sola vez.' }) });
const ganchos = { alcance: 'ganchos', acceso: { pantalla: 'ganchos' } } as const;
const editarGanchos = { alcance: 'ganchos', acceso: { pantalla: 'ganchos', derecho: 'ganchos.editar' } } as const;

const Entrega = z.object({
  id: z.uuid(),
  tipo: z.enum(TIPOS),
  estado: z.enum(['pendiente', 'entregada', 'muerta']),
  intentos: z.int(),
  status: z.int().nullable(),
  detalle: z.string().nullable(),
  ocurridoEn: Instante,
  proximoEn: Instante,
  terminadaEn: Instante.nullable(),
});

const Vista = z.object({
  id: z.uuid(),
  nombre: z.string(),
  consulta: z.string().meta({ description: 'Lo que la vista pide, como en la dirección de su pantalla.' }),
  roles: z.array(z.string()),
  iniciales: z.array(z.string()),
  editable: z.boolean(),
});
const vistas = { alcance: 'listas', acceso: { pantalla: 'buscar' } } as const;
const DeLista = z.object({ lista: z.string().min(1).max(60) });
const UnaVista = DeLista.extend({ id: z.uuid() });
const consulta = z.string().max(4_000);

/** The list of a path, where this role may read the list; 404 otherwise, as on its screen. */
async function listOf(usuario: Usuario, lista: string) {
  return found(Promise.resolve(mayReadList(usuario, lista) ? findList(lista) : undefined));
}
async function vistaOf(db: Db | Trx, usuario: Usuario, lista: string, id: string) {
  return found(Promise.resolve((await vistasQuery(db, lista, usuario).execute()).find((una) => una.id === id)));
}

/** Who sees a view and who begins with it: of the roles that read the list, where this person may share. */
function sharedOf(
  usuario: Usuario,
  lista: string,
  { roles = [], iniciales = [] }: { roles?: Rol[]; iniciales?: Rol[] },
) {
  if (roles.length + iniciales.length > 0) requireRight(usuario, 'listas.compartir');
  if (!can(usuario, 'listas.compartir')) return {};
  const readers = rolesOfList(lista);
  const [a, b] = [roles, iniciales].map((one) => one.filter((rol) => readers.includes(rol)));
  return { compartida: { roles: a!, iniciales: b! } };
}

export const cuenta = (alcancesOf: (rol: Rol) => string[]): Call[] => [
  defineCall({
    method: 'GET',
    path: '/api/v1/cuenta',
    resumen: 'Los datos propios.',
    ...propia,
    answer: Cuenta,
    etag: etagOfVersion,
    run: (db, { usuario }) => cuentaOf(db, usuario),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/cuenta/sesiones',
    resumen: 'Las sesiones abiertas de quien pregunta.',
    ...propia,
    answer: z.array(
      z.object({
        id: CerrarSesion.shape.sesion,
        dispositivo: z.string(),
        direccion: z.string().nullable(),
        creadaEn: Instante,
        vistaEn: Instante,
        esta: z.boolean(),
      }),
    ),
    run: async (db, { usuario, sesion }) =>
      (await listSesiones(db, usuario.id, sesion)).map(({ navegador, ...una }) => ({
        ...una,
        dispositivo: dispositivoDicho(navegador),
      })),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/cuenta/sesiones/cierre',
    resumen: 'Cierra las demás sesiones propias.',
    ...cerrar,
    form: CerrarDemas,
    answer: z.object({ cerradas: z.int() }),
    commit: async (trx, _, { usuario, sesion }) => ({ cerradas: await closeOtherSessions(trx, usuario.id, sesion) }),
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/cuenta/sesiones/{id}',
    resumen: 'Cierra una sesión propia que no es esta.',
    ...cerrar,
    params: z.object({ id: CerrarSesion.shape.sesion }),
    answer: z.object({ id: z.string() }),
    async commit(trx, { params: { id }, usuario, sesion }) {
      await closeOwnSession(trx, usuario.id, id, sesion);
      return { id };
    },
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/cuenta',
    resumen: 'Cambia los datos propios.',
    ...propia,
    conVersion: true,
    form: InformacionGeneral,
    answer: Cuenta,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await updateOwnInformacion(trx, usuario, form);
      return cuentaOf(trx, usuario);
    },
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/cuenta/password',
    resumen: 'Cambia la contraseña propia; pide la actual. Termina todas las sesiones, también esta.',
    alcance: 'cuenta',
    acceso: { pantalla: 'datosUsuario' },
    conVersion: true,
    secreta: true,
    form: PasswordPropio,
    answer: Cuenta,
    etag: etagOfVersion,
    async run(db, { passwordActual, password, ...visto }, { usuario, ip }) {
      await requirePassword(db, usuario, passwordActual, {
        ip,
        titulo: 'Error de actualización.',
        campo: 'passwordActual',
      });
      return db.transaction().execute(async (trx) => {
        await changePassword(trx, usuario, usuario.id, password, visto);
        return cuentaOf(trx, usuario);
      });
    },
  }),
  defineCall({
    method: 'PATCH',
    path: '/api/v1/cuenta/preferencias',
    resumen: 'Cómo ve las pantallas quien pregunta. Lo que no se dice se queda.',
    ...propia,
    body: z.object({
      apariencia: z.enum(APARIENCIAS).optional(),
      densidad: z.enum(DENSIDADES).optional(),
      etiquetas: z.enum(FORMATOS_DE_ETIQUETA).optional().meta({ description: 'En qué se le imprimen las etiquetas.' }),
      cajonPlegado: z.boolean().optional(),
      teclas: z.boolean().optional(),
      inicio: Texto(60)
        .nullable()
        .optional()
        .meta({ description: 'Pantalla del menú en que empieza la sesión; null es la de su rol.' }),
      ordenDeHoy: z
        .array(Texto(60))
        .max(100)
        .optional()
        .meta({ description: 'Claves de las tarjetas de Hoy, en su orden; ninguna es el orden de la casa.' }),
      cartasAparte: z.record(Texto(60), z.boolean()).optional().meta({ description: 'Tarjetas de Hoy, aparte o no.' }),
      recorrido: z.boolean().optional().meta({ description: 'El recorrido de la demostración, a la vista o no.' }),
      fijadas: z.record(Texto(60), z.boolean()).optional().meta({ description: 'Pantallas del menú, arriba o no.' }),
      plegados: z.record(Texto(40), z.boolean()).optional().meta({ description: 'Grupos del menú, plegados o no.' }),
      panelesAnchos: z.record(z.string().regex(/^[a-z0-9]{1,40}$/), z.boolean()).optional(),
    }),
    answer: z.object({ hecho: z.literal(true) }),
    async commit(trx, { body, usuario: { id, rol } }) {
      const { fijadas = {}, plegados = {}, panelesAnchos = {}, cartasAparte = {}, ...resto } = body;
      const dichas = Object.fromEntries(
        Object.entries(resto).filter(
          ([nombre, valor]) => valor !== undefined && (nombre !== 'inicio' || isInicial(rol, resto.inicio ?? null)),
        ),
      );
      if (Object.keys(dichas).length > 0) await savePreferencias(trx, id, dichas);
      for (const [pantalla, fijada] of Object.entries(fijadas))
        if (isPantallaOf(rol, pantalla)) await pinPantalla(trx, id, pantalla, fijada);
      for (const [grupo, plegado] of Object.entries(plegados)) await foldGroup(trx, id, grupo, plegado);
      const cartas = new Set(colasOf({ rol }, COLAS).map(({ cola }) => cola.clave));
      for (const [carta, aparte] of Object.entries(cartasAparte))
        if (cartas.has(carta)) await asideCarta(trx, id, carta, aparte);
      for (const [panel, ancho] of Object.entries(panelesAnchos)) await widenPanel(trx, id, panel, ancho);
      return { hecho: true as const };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/tokens',
    resumen: 'Los tokens propios. Ninguno dice su secreto.',
    alcance: 'cuenta',
    acceso: { pantalla: 'tokensApi' },
    answer: z.array(
      z.object({
        id: z.uuid(),
        nombre: z.string(),
        pista: z.string(),
        alcances: z.array(z.string()),
        creadoEn: Instante,
        venceEn: Instante,
        usadoEn: Instante.nullable(),
        revocadoEn: Instante.nullable(),
        vivo: z.boolean(),
      }),
    ),
    run: (db, { usuario }) => listTokensApi(db, usuario.id),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/tokens',
    resumen: 'Un token nuevo de quien pregunta. Se dice una sola vez.',
    alcance: 'cuenta',
    acceso: { pantalla: 'tokensApi', derecho: 'cuenta.tokens' },
    secreta: true,
    status: 201,
    form: NewTokenApi,
    answer: z.object({ token: z.string() }),
    commit: async (trx, form, { usuario }) => ({
      token: await createTokenApi(trx, usuario, form, alcancesOf(usuario.rol)),
    }),
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    resumen: 'Revoca un token propio.',
    alcance: 'cuenta',
    acceso: { pantalla: 'tokensApi' },
    params: ById,
    answer: ById,
    async commit(trx, { params: { id }, usuario }) {
      await revokeTokenApi(trx, usuario, id);
      return { id };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/claves-api',
    resumen: 'Las contraseñas de API de quien pregunta, sin su texto.',
    alcance: 'cuenta',
    acceso: { pantalla: 'tokensApi' },
    answer: z.array(
      z.object({
        id: z.string(),
        nombre: z.string(),
        pista: z.string(),
        creadaEn: Instante,
        usadaEn: Instante.nullable(),
        revocadaEn: Instante.nullable(),
      }),
    ),
    run: (db, { usuario }) => listClavesApi(db, usuario.id),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/claves-api',
    resumen: 'Una contraseña de API nueva de quien pregunta, para las llamadas anteriores. Se dice una sola vez.',
    alcance: 'cuenta',
    acceso: { pantalla: 'tokensApi', derecho: 'cuenta.tokens' },
    secreta: true,
    status: 201,
    form: NewClaveApi,
    answer: z.object({ clave: z.string() }),
    commit: async (trx, form, { usuario }) => ({ clave: await createClaveApi(trx, usuario, form) }),
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/claves-api/{id}',
    resumen: 'Revoca una contraseña de API propia y cierra lo que abrió.',
    alcance: 'cuenta',
    acceso: { pantalla: 'tokensApi' },
    params: ById,
    answer: ById,
    async commit(trx, { params: { id }, usuario }) {
      await revokeClaveApi(trx, usuario, id);
      return { id };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/ganchos',
    resumen: 'Los receptores de avisos, con lo último que se les mandó.',
    ...ganchos,
    answer: z.array(
      z.object({
        id: z.uuid(),
        nombre: z.string(),
        url: z.string(),
        tipos: z.array(z.enum(TIPOS)),
        creadoEn: Instante,
        version: z.int(),
        fallos: z.int(),
        esperaHasta: Instante.nullable(),
        pendientes: z.int(),
        muertas: z.int(),
        ultimas: z.array(Entrega),
        sinEntregar: z.array(Entrega),
      }),
    ),
    run: (db) => listGanchos(db) as never,
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ganchos',
    resumen: 'Un receptor de avisos.',
    ...editarGanchos,
    secreta: true,
    status: 201,
    form: NuevoGancho,
    answer: Secreto,
    async run(db, form, { usuario }) {
      await requireDireccion(form.url);
      return { secreto: await db.transaction().execute((trx) => createGancho(trx, form, usuario.id)) };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ganchos/{id}/secreto',
    resumen: 'Otro secreto para un receptor. El anterior sigue un día.',
    ...editarGanchos,
    conVersion: true,
    secreta: true,
    form: UnGancho,
    de: { gancho: 'id' },
    answer: Secreto,
    commit: async (trx, form, { usuario }) => ({ secreto: await rotateSecreto(trx, form, usuario.id) }),
  }),
  defineFormCall({
    method: 'DELETE',
    path: '/api/v1/ganchos/{id}',
    resumen: 'Quita un receptor de avisos.',
    ...editarGanchos,
    conVersion: true,
    form: UnGancho,
    de: { gancho: 'id' },
    answer: ById,
    async commit(trx, form, { usuario }) {
      await removeGancho(trx, form, usuario.id);
      return { id: form.gancho };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ganchos/{id}/prueba',
    resumen: 'Manda a un receptor un aviso de prueba, del tipo prueba y con text.',
    ...ganchos,
    form: DeReceptor,
    de: { gancho: 'id' },
    answer: ById,
    async commit(trx, form, { usuario }) {
      await sendPrueba(trx, form, usuario.id);
      return { id: form.gancho };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ganchos/{id}/reenvio',
    resumen: 'Manda otra vez todo lo que un receptor no recibió.',
    ...ganchos,
    form: DeReceptor,
    de: { gancho: 'id' },
    answer: z.object({ avisos: z.int() }),
    commit: async (trx, form, { usuario }) => ({ avisos: await resend(trx, form, usuario.id) }),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/ganchos/entregas/{id}/reenvio',
    resumen: 'Manda otra vez un aviso.',
    ...ganchos,
    form: UnaEntrega,
    de: { entrega: 'id' },
    answer: z.object({ avisos: z.int() }),
    commit: async (trx, form, { usuario }) => ({ avisos: await resend(trx, form, usuario.id) }),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/listas/{lista}/vistas',
    resumen: 'Las vistas de una lista: las propias y las compartidas.',
    ...vistas,
    params: DeLista,
    answer: z.array(Vista),
    async run(db, { params: { lista }, usuario }) {
      await listOf(usuario, lista);
      return vistasQuery(db, lista, usuario).execute();
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/listas/{lista}/vistas',
    resumen: 'Guarda una vista de una lista.',
    ...vistas,
    status: 201,
    params: DeLista,
    body: z.object({
      nombre: Texto(40, 'Escribe un nombre.'),
      consulta,
      roles: z.array(z.enum(ROLES)).optional(),
      iniciales: z.array(z.enum(ROLES)).optional(),
    }),
    answer: Vista,
    async commit(trx, { params: { lista }, body: { nombre, consulta, ...con }, usuario }) {
      const { campos } = await listOf(usuario, lista);
      const vista = { lista, id: null, nombre, consulta: estadoOf(consulta, campos), ...sharedOf(usuario, lista, con) };
      const id = await saveVista(trx, usuario, vista);
      if (id === null) throw new NotAllowed('Error.', `No se guardó la vista: caben ${MAX_VISTAS} por lista.`);
      return vistaOf(trx, usuario, lista, id);
    },
  }),
  defineCall({
    method: 'PATCH',
    path: '/api/v1/listas/{lista}/vistas/{id}',
    resumen: 'Cambia una vista: su nombre, lo que pide, o quién la ve.',
    ...vistas,
    params: UnaVista,
    body: z.object({
      nombre: Texto(40).optional(),
      consulta: consulta.optional(),
      roles: z.array(z.enum(ROLES)).optional(),
      iniciales: z.array(z.enum(ROLES)).optional(),
    }),
    answer: Vista,
    async commit(trx, { params: { lista, id }, body: { nombre, consulta, roles, iniciales }, usuario }) {
      const { campos } = await listOf(usuario, lista);
      const antes = await vistaOf(trx, usuario, lista, id);
      if (consulta !== undefined) await updateVista(trx, usuario, { lista, id, consulta: estadoOf(consulta, campos) });
      const con =
        roles || iniciales
          ? sharedOf(usuario, lista, { ...(roles && { roles }), ...(iniciales && { iniciales }) })
          : {};
      if (nombre !== undefined || roles || iniciales)
        await saveVista(trx, usuario, { lista, id, nombre: nombre ?? antes.nombre, ...con });
      return vistaOf(trx, usuario, lista, id);
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/listas/{lista}/vistas/{id}',
    resumen: 'Retira una vista. Se puede reponer.',
    ...vistas,
    params: UnaVista,
    answer: ById,
    async commit(trx, { params: { lista, id }, usuario }) {
      await listOf(usuario, lista);
      await found(Promise.resolve((await retireVista(trx, usuario, { lista, id })) || undefined));
      return { id };
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/listas/{lista}/vistas/{id}/reposicion',
    resumen: 'Repone una vista que se retiró.',
    ...vistas,
    params: UnaVista,
    answer: Vista,
    async commit(trx, { params: { lista, id }, usuario }) {
      await listOf(usuario, lista);
      await found(restoreVista(trx, usuario, { lista, id }));
      return vistaOf(trx, usuario, lista, id);
    },
  }),
];
