import { z } from 'zod';
import { APARIENCIAS, DENSIDADES } from '~/core/aspecto';
import { FORMATOS_DE_ETIQUETA } from '~/core/formatoDeEtiqueta';
import { isRepeated } from '~/core/fieldRules';
import {
  Email,
  Id,
  Lista,
  MostradoForm,
  REQUERIDO,
  SiNo,
  Texto,
  TextoOpcional,
  Version,
  opcional,
} from '~/core/fields';
import { isAcceptablePassword } from '~/core/password';
import { isStorable } from '~/core/text';
import { ROLES } from '~/core/usuario';
import { MAX_VUELTA } from '~/core/vuelta';
import { VIDAS } from './vidasDeToken';
import { CODIGO_LARGO, CODIGO_LARGO_ANTES } from './segundoFactor';

/** A code that somebody copies by hand: capitals, spaces and hyphens do not matter, and letters that look alike are the same. */
const Escrito = z
  .string({ error: REQUERIDO })
  .min(1, REQUERIDO)
  .max(80, 'Ese código es demasiado largo.')
  .transform((text) => text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1'));

const PASSWORD_NO_VALIDO = 'La contraseña no conincide con los requisitos minimos';

/** 'General info' of a user, which the profile and the users screen save. */
export const InformacionGeneral = z.object({
  nombre: Texto(80),
  apellidos: Texto(80),
  usuario: Texto(60).regex(/^\S+$/, 'Usuario No Valido'),
  email: Email,
  version: Version,
});
export type InformacionGeneral = z.infer<typeof InformacionGeneral>;

/** 'General info' with the role, for the users screen. The command asks whether that role may be given. */
export const InformacionDeUsuario = InformacionGeneral.extend({
  id: Id,
  rol: z.enum(ROLES, { error: REQUERIDO }),
});
export type InformacionDeUsuario = z.infer<typeof InformacionDeUsuario>;

const nuevoPassword = {
  password: z.string({ error: REQUERIDO }).min(1, REQUERIDO).refine(isAcceptablePassword, PASSWORD_NO_VALIDO),
  confirmar: z.string({ error: REQUERIDO }).min(1, REQUERIDO),
};
/** Refusals of a repeated password; the profile and the users screen have different words. */
const enPerfil = { error: 'Esta contraseña no coincide con la anterior.', path: ['confirmar'] };
const enUsuarios = { error: 'Este password no coincide con el anterior.', path: ['confirmar'] };

/** The current password. By its name, no page ever carries it (`SECRETS`). */
const PasswordActual = z.string({ error: REQUERIDO }).min(1, REQUERIDO).max(200, 'Contraseña no valida');

/** The marks of the person whose password it is, as the screen showed them. */
const visto = { version: Version, mostrado: MostradoForm };

/** A new password of one's own. */
export const PasswordPropio = z
  .object({ ...visto, passwordActual: PasswordActual, ...nuevoPassword })
  .refine(isRepeated, enPerfil);
/** A new password of a user. The field of the current one is shown, and asked, where people change their own. */
export const PasswordDeUsuario = z
  .object({ ...visto, ...nuevoPassword, id: Id, passwordActual: opcional(PasswordActual) })
  .refine(isRepeated, enUsuarios);
/** A new user. */
export const NewUsuario = InformacionDeUsuario.omit({ id: true, version: true })
  .extend(nuevoPassword)
  .refine(isRepeated, enUsuarios);
export type NewUsuario = Omit<z.infer<typeof NewUsuario>, 'confirmar'>;

/** The first person of an installation, with the code that the server wrote when it started. */
export const PrimeraPersona = InformacionGeneral.omit({ version: true })
  .extend({ codigo: Escrito, ...nuevoPassword })
  .refine(isRepeated, enPerfil);
export type PrimeraPersona = z.infer<typeof PrimeraPersona>;

/** The end of one session of one's own, by the id of the list. */
export const CerrarSesion = z.object({ sesion: z.string({ error: REQUERIDO }).regex(/^[\da-f]{64}$/) });
export type CerrarSesion = z.infer<typeof CerrarSesion>;

/** The end of all sessions of one's own but the one at hand. */
export const CerrarDemas = z.object({});
export type CerrarDemas = z.infer<typeof CerrarDemas>;

/** The new status of a user. */
export const EstatusDeUsuario = z.object({
  id: Id,
  version: Version,
  activo: SiNo,
});

/** Name and password at the door. A refusal never tells the rules of a password: a person who knows their own needs none. */
export const Credenciales = z.object({
  usuario: z
    .string({ error: REQUERIDO })
    .trim()
    .min(1, REQUERIDO)
    .max(100, 'Usuario no valido')
    .refine(isStorable, 'Usuario no valido'),
  password: z.string({ error: REQUERIDO }).min(1, REQUERIDO).max(200, 'Contraseña no valida'),
  recordar: z.stringbool().optional().catch(undefined),
  volver: z.string().max(MAX_VUELTA).optional().catch(undefined),
});

const NO_SON_SEIS = 'El código son 6 dígitos.';

/** A code of six digits, also as an application shows it: '123 456'. */
const Codigo = z
  .string({ error: REQUERIDO })
  .max(20, NO_SON_SEIS)
  .transform((text) => text.replace(/[\s-]/g, ''))
  .refine((text) => /^\d{6}$/.test(text), NO_SON_SEIS);

const NO_ES_RECUPERACION = `Un código de recuperación son ${CODIGO_LARGO} letras y números.`;

/** A recovery code. */
const CodigoDeRecuperacion = Escrito.refine(
  (text) => /^[0-9A-Z]+$/.test(text) && [CODIGO_LARGO, CODIGO_LARGO_ANTES].includes(text.length),
  NO_ES_RECUPERACION,
);

const vuelta = z.string().max(MAX_VUELTA).optional().catch(undefined);

/** The code on the page after the password. */
export const EntrarConCodigo = z.object({
  codigo: Codigo,
  dispositivo: z.stringbool().optional().catch(undefined),
  volver: vuelta,
});
/** The recovery code on that page. */
export const EntrarConRecuperacion = z.object({ recuperacion: CodigoDeRecuperacion, volver: vuelta });

/** The first code of a new secret. */
export const ConfirmarSegundoFactor = z.object({ codigo: Codigo });

/** The person whose second factor an sa takes away. */
export const QuitarSegundoFactor = z.object({ id: Id });

/** The proof that the person of the session sent a form: their password, or a code of their second factor. */
export const Prueba = z.object({ passwordDePrueba: opcional(Texto(200)), codigoDePrueba: opcional(Codigo) });
export type Prueba = z.infer<typeof Prueba>;

/** Address of the page that the form was sent from. */
const volver = Texto(4_000).default('');

/** The colours of the screens, for one person. */
export const ElegirApariencia = z.object({ apariencia: z.enum(APARIENCIAS), volver });
/** The height of the rows of every list. */
export const ElegirDensidad = z.object({ densidad: z.enum(DENSIDADES), volver });
/** The format of the labels that a person prints. */
export const ElegirEtiquetas = z.object({ etiquetas: z.enum(FORMATOS_DE_ETIQUETA), volver });
/** The screen that a person starts on; empty for the home of their role. A screen that does not stand in their menu is ignored. */
export const ElegirInicio = z.object({ inicio: TextoOpcional(60), volver });
/** A card of 'Hoy' that changes places with its neighbour of the same column. */
export const MoverCarta = z.object({ carta: Texto(60), hacia: z.enum(['arriba', 'abajo']), volver });
/** A card of 'Hoy' that a person puts aside, or shows again. */
export const ApartarCarta = z.object({ carta: Texto(60), aparte: SiNo, volver });
/** The cards of 'Hoy' in the order of the house. */
export const OrdenDeLaCasa = z.object({ volver });
/** The drawer of the menu, folded or open. */
export const PlegarCajon = z.object({ plegado: SiNo, volver });
/** The width of a panel: `panel` is the kind of record, and all records of a kind share one width. */
export const EnsancharPanel = z.object({
  panel: z.string().regex(/^[a-z0-9]{1,40}$/),
  ancho: SiNo,
  volver,
});
/** The shortcuts of single letters, in use or not. */
export const UsarTeclas = z.object({ teclas: SiNo, volver });
/** The tour of the demo, in sight or put away. */
export const VerRecorrido = z.object({ recorrido: SiNo, volver });
/** A screen that is pinned to the top of the menu, or taken down. A screen outside the person's menu is ignored. */
export const FijarPantalla = z.object({ pantalla: Texto(60), fijada: SiNo, volver });
/** A group of the menu, folded or open. */
export const PlegarGrupo = z.object({ grupo: Texto(40), plegado: SiNo, volver });

/** 'Nombre de la empresa', when one is added and when one is edited. */
export const NewEmpresa = z.object({ nombre: Texto(80) });
export const EmpresaEditada = NewEmpresa.extend({ id: Id, version: Version });
export type EmpresaEditada = z.infer<typeof EmpresaEditada>;

/** The new status of a company. */
export const EstatusDeEmpresa = z.object({ id: Id, version: Version, activo: SiNo });
export type EstatusDeEmpresa = z.infer<typeof EstatusDeEmpresa>;

/** A new token of the API. */
export const NewTokenApi = z.object({
  nombre: Texto(60, 'Escribe un nombre.'),
  vida: z.enum(VIDAS, 'Elige cuánto dura.'),
  alcances: Lista(Texto(60), 100).min(1, 'Elige al menos un permiso.'),
});
export type NewTokenApi = z.infer<typeof NewTokenApi>;

/** A new password that only the API takes. */
export const NewClaveApi = z.object({ nombreClave: Texto(60, 'Escribe un nombre.') });
export type NewClaveApi = z.infer<typeof NewClaveApi>;

/** The API password that a press is about. */
export const UnaClaveApi = z.object({ clave: Id });

/** The token that a press is about. */
export const UnTokenApi = z.object({ token: Id });
