import { z } from 'zod';
import { APARIENCIAS, DENSIDADES } from '~/core/aspecto';
import { isRepeated } from '~/core/fieldRules';
import { Email, Id, Lista, MostradoForm, REQUERIDO, SiNo, Texto, Version, opcional } from '~/core/fields';
import { isAcceptablePassword } from '~/core/password';
import { isStorable } from '~/core/text';
import { ROLES } from '~/core/usuario';
import { MAX_VUELTA } from '~/core/vuelta';
import { VIDAS } from './vidasDeToken';

const PASSWORD_NO_VALIDO = 'La contraseña no conincide con los requisitos minimos';

/** 'General info' of a user: what a profile and the users screen save together. */
export const InformacionGeneral = z.object({
  nombre: Texto(80),
  apellidos: Texto(80),
  usuario: Texto(60).regex(/^\S+$/, 'Usuario No Valido'),
  email: Email,
  version: Version,
});
export type InformacionGeneral = z.infer<typeof InformacionGeneral>;

/** The users screen sets the role as well. Whether this person may give it is the domain's question. */
export const InformacionDeUsuario = InformacionGeneral.extend({
  id: Id,
  rol: z.enum(ROLES, { error: REQUERIDO }),
});
export type InformacionDeUsuario = z.infer<typeof InformacionDeUsuario>;

const nuevoPassword = {
  password: z.string({ error: REQUERIDO }).min(1, REQUERIDO).refine(isAcceptablePassword, PASSWORD_NO_VALIDO),
  confirmar: z.string({ error: REQUERIDO }).min(1, REQUERIDO),
};
/** The profile and the users screen say it in different words. */
const enPerfil = { error: 'Esta contraseña no coincide con la anterior.', path: ['confirmar'] };
const enUsuarios = { error: 'Este password no coincide con el anterior.', path: ['confirmar'] };

/** The name says that it does not travel through a page (`SECRETS`). */
const PasswordActual = z.string({ error: REQUERIDO }).min(1, REQUERIDO).max(200, 'Contraseña no valida');

/** Whose password it is, as the screen showed them. */
const visto = { version: Version, mostrado: MostradoForm };

export const PasswordPropio = z
  .object({ ...visto, passwordActual: PasswordActual, ...nuevoPassword })
  .refine(isRepeated, enPerfil);
/** The current one is asked of those who change their own. */
export const PasswordDeUsuario = z
  .object({ ...visto, ...nuevoPassword, id: Id, passwordActual: opcional(PasswordActual) })
  .refine(isRepeated, enUsuarios);
export const NewUsuario = InformacionDeUsuario.omit({ id: true, version: true })
  .extend(nuevoPassword)
  .refine(isRepeated, enUsuarios);
export type NewUsuario = Omit<z.infer<typeof NewUsuario>, 'confirmar'>;

export const EstatusDeUsuario = z.object({
  id: Id,
  version: Version,
  activo: SiNo,
});

/** What the door asks. Nothing is said of what a name or a password must look like: who knows theirs knows that too. */
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

/** As an application shows it, '123 456', or as it is typed. */
const Codigo = z
  .string({ error: REQUERIDO })
  .max(20, NO_SON_SEIS)
  .transform((text) => text.replace(/[\s-]/g, ''))
  .refine((text) => /^\d{6}$/.test(text), NO_SON_SEIS);

/** Written down by hand as often as not: capitals, spaces and hyphens do not matter, and what looks alike is the same. */
const CodigoDeRecuperacion = z
  .string({ error: REQUERIDO })
  .max(60, 'Un código de recuperación son 16 letras y números.')
  .transform((text) => text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1'))
  .refine((text) => /^[0-9A-Z]{16}$/.test(text), 'Un código de recuperación son 16 letras y números.');

const vuelta = z.string().max(MAX_VUELTA).optional().catch(undefined);

/** The page after the password. */
export const EntrarConCodigo = z.object({
  codigo: Codigo,
  dispositivo: z.stringbool().optional().catch(undefined),
  volver: vuelta,
});
export const EntrarConRecuperacion = z.object({ recuperacion: CodigoDeRecuperacion, volver: vuelta });

/** The first code of a new secret. */
export const ConfirmarSegundoFactor = z.object({ codigo: Codigo });

/** Of another person, by an sa. */
export const QuitarSegundoFactor = z.object({ id: Id });

/** What proves once more who sent a form: one of the two. */
export const Prueba = z.object({ passwordDePrueba: opcional(Texto(200)), codigoDePrueba: opcional(Codigo) });
export type Prueba = z.infer<typeof Prueba>;

/** The page it was chosen on. */
const volver = Texto(4_000).default('');

export const ElegirApariencia = z.object({ apariencia: z.enum(APARIENCIAS), volver });
export const ElegirDensidad = z.object({ densidad: z.enum(DENSIDADES), volver });
export const PlegarCajon = z.object({ plegado: SiNo, volver });
export const EnsancharPanel = z.object({
  panel: z.string().regex(/^[a-z0-9]{1,40}$/),
  ancho: SiNo,
  volver,
});
export const UsarTeclas = z.object({ teclas: SiNo, volver });
export const FijarPantalla = z.object({ pantalla: Texto(60), fijada: SiNo, volver });
export const PlegarGrupo = z.object({ grupo: Texto(40), plegado: SiNo, volver });

/** 'Nombre de la empresa', when one is added and when one is edited. */
export const NewEmpresa = z.object({ nombre: Texto(80) });
export const EmpresaEditada = NewEmpresa.extend({ id: Id, version: Version });
export type EmpresaEditada = z.infer<typeof EmpresaEditada>;

export const EstatusDeEmpresa = z.object({ id: Id, version: Version, activo: SiNo });
export type EstatusDeEmpresa = z.infer<typeof EstatusDeEmpresa>;

export const NewTokenApi = z.object({
  nombre: Texto(60, 'Escribe un nombre.'),
  vida: z.enum(VIDAS, 'Elige cuánto dura.'),
  alcances: Lista(Texto(60), 100).min(1, 'Elige al menos un permiso.'),
});
export type NewTokenApi = z.infer<typeof NewTokenApi>;

export const UnTokenApi = z.object({ token: Id });
