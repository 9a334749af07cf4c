import type { Question } from '~/core/fieldRules';
import { enLinea, hechosOf, changesOf } from '~/core/hechos';
import { rowOf } from '~/core/table';
import { civilDateTime, toInstant } from '~/core/time';
import { CODIGOS_DE_RECUPERACION } from './segundoFactor';
import { ROL_LABEL, type Usuario } from '~/core/usuario';

/** Number of places where a person is signed in. */
type ConSesiones = { sesiones: number };
type Quien = Pick<Usuario, 'usuario' | 'nombre' | 'apellidos' | 'rol'>;

const sesionesQueCierran = (n: number, suya = '') =>
  n === 0
    ? `No hay ${suya === '' ? 'sesiones abiertas' : `otra sesión${suya}`}.`
    : n === 1
      ? `Se cierra 1 sesión${suya}.`
      : `Se cierran ${n} sesiones${suya}.`;

const deQuien = ({ usuario, nombre, apellidos, rol }: Quien) =>
  `${enLinea(usuario, `${nombre} ${apellidos}`, ROL_LABEL[rol])}.`;

const DATOS = { nombre: 'Nombre', apellidos: 'Apellidos', usuario: 'Usuario', email: 'Email', rol: 'Rol' } as const;
type Datos = Partial<Record<keyof typeof DATOS, string | undefined>>;

/** The question before the data of a person change, in the profile and in the users screen. A change of role ends their sessions. */
export function askSaveInformacion(antes: Usuario, despues: Datos, { sesiones }: ConSesiones): Question {
  const rol = despues.rol ?? antes.rol;
  return {
    titulo: 'Guardar información',
    texto: '¿Esta seguro que desea guardar la información?',
    hechos: hechosOf(
      changesOf(DATOS, { ...antes, rol: ROL_LABEL[antes.rol] }, { ...despues, rol: rowOf(ROL_LABEL, rol) }),
      rol !== antes.rol && sesionesQueCierran(sesiones),
    ),
  };
}

/** The question before one other session of a person ends. */
export const askCerrarSesion = (dispositivo: string, direccion: string | null): Question => ({
  titulo: 'Cerrar sesión',
  texto: '¿Esta seguro que desea cerrar esa sesión?',
  hechos: `${dispositivo}${direccion ? `, ${direccion}` : ''}. Quien la use vuelve a entrar con contraseña.`,
});

/** The question before every other session of a person ends. */
export const askCerrarDemas = (otras: number): Question => ({
  titulo: 'Cerrar las demás',
  texto: '¿Esta seguro que desea cerrar sus demás sesiones?',
  hechos: sesionesQueCierran(otras, ' en otro lugar'),
});

/** The question before a password changes. With `propia` the session that changes it stays. */
export function askChangePassword(usuario: string, { sesiones, propia }: ConSesiones & { propia: boolean }): Question {
  return {
    titulo: 'Cambiar contraseña',
    texto: '¿Esta seguro que desea cambiar la contraseña?',
    hechos: hechosOf(
      `Usuario ${usuario}.`,
      propia
        ? `${sesionesQueCierran(Math.max(0, sesiones - 1), ' en otro lugar')} Esta sigue abierta.`
        : sesionesQueCierran(sesiones),
    ),
  };
}

/** The question before a user is activated or deactivated. */
export function askChangeEstatus(quien: Quien & ConSesiones, activo: boolean): Question {
  return {
    titulo: activo ? 'Activar usuario' : 'Desactivar usuario',
    texto: `¿Esta seguro que desea ${activo ? 'activar' : 'desactivar'} al usuario ${quien.usuario}?`,
    hechos: hechosOf(
      deQuien(quien),
      activo ? 'Vuelve a entrar con su contraseña de antes.' : sesionesQueCierran(quien.sesiones),
    ),
  };
}

/** The question before an sa takes the second factor of another person away. */
export function askRemoveSegundoFactorOf(quien: Quien & ConSesiones): Question {
  return {
    titulo: 'Quitar la verificación',
    texto: `¿Quitar la verificación en dos pasos de ${quien.usuario}? Antes comprueba que quien lo pide es esa persona. Entrará solo con su contraseña hasta que la active otra vez.`,
    hechos: hechosOf(deQuien(quien), sesionesQueCierran(quien.sesiones)),
    destruye: true,
  };
}

type SegundoFactor = { confirmadoEn: Date | string | null; quedan: number };
const codigosQueSobran = (n: number) =>
  n === 0
    ? 'No quedaba ninguno sin usar.'
    : n === 1
      ? '1 código sin usar deja de servir.'
      : `${n} códigos sin usar dejan de servir.`;

/** The question before new recovery codes are made. */
export function askRenewCodigos({ quedan }: SegundoFactor): Question {
  return {
    titulo: 'Códigos nuevos',
    texto: '¿Hacer códigos de recuperación nuevos? Los de antes dejan de servir.',
    hechos: `Se hacen ${CODIGOS_DE_RECUPERACION} códigos. ${codigosQueSobran(quedan)}`,
  };
}

/** The question before a person takes their own second factor away. */
export function askRemoveSegundoFactor({ confirmadoEn, quedan }: SegundoFactor): Question {
  const [dia = ''] = confirmadoEn === null ? [] : civilDateTime(toInstant(confirmadoEn)).split('T');
  return {
    titulo: 'Quitar la verificación',
    texto: '¿Quitar la verificación en dos pasos? Tu contraseña volverá a ser lo único que se pide.',
    hechos: hechosOf(dia && `Activa desde el ${dia.split('-').reverse().join('/')}.`, codigosQueSobran(quedan)),
    destruye: true,
  };
}

/** The question before a session is closed. */
export const SALIR = {
  titulo: 'Cerrar Sessión',
  texto: '¿Estas seguro de cerrar la sesión?',
  hechos: 'Las facturas y notas que dejaste en captura se conservan.',
} as const;

/** The question before the token of a program ends. */
export function askRevokeToken({ nombre, pista }: { nombre: string; pista: string }): Question {
  return {
    titulo: 'Revocar token',
    texto: `¿Esta seguro que desea revocar el token ${nombre}?`,
    hechos: `Termina en …${pista}. El programa que lo usa deja de entrar de inmediato.`,
    destruye: true,
  };
}

export function askRevokeClave({ nombre, pista }: { nombre: string; pista: string }): Question {
  return {
    titulo: 'Revocar contraseña de API',
    texto: `¿Esta seguro que desea revocar la contraseña de API ${nombre}?`,
    hechos: `Termina en …${pista}. El programa que la usa deja de entrar de inmediato.`,
    destruye: true,
  };
}

/** The question before a company changes its status; for an integration it tells what follows. */
export function askChangeEstatusDeEmpresa({
  nombre,
  activo,
  conexion,
  enEspera,
}: {
  nombre: string;
  /** Status before the change. */
  activo: boolean;
  conexion: string | null;
  /** Number of effects that wait for the integration. */
  enEspera: number;
}): Question {
  const sigue =
    conexion === null
      ? ''
      : activo
        ? ' Es una integración: sus sincronizaciones y sus envíos quedan en pausa hasta que se active otra vez.'
        : ' Es una integración: sus sincronizaciones y lo que esperaba por enviarse continúan de inmediato.';
  return {
    titulo: activo ? 'Desactivar empresa' : 'Activar empresa',
    texto: `¿Esta seguro que desea ${activo ? 'desactivar' : 'activar'} la empresa ${nombre}?${sigue}`,
    hechos: hechosOf(
      `Estatus: de ${activo ? 'Activa a Inactiva' : 'Inactiva a Activa'}.`,
      conexion !== null && (enEspera === 1 ? '1 solicitud en espera.' : `${enEspera} solicitudes en espera.`),
    ),
  };
}
