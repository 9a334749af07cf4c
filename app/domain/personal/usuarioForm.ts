import { z } from 'zod';
import { isRepeated } from '~/core/fieldRules';
import { Email, Id, MostradoForm, opcional, REQUERIDO, SiNo, Texto, Version } from '~/core/fields';
import { isAcceptablePassword } from '~/core/password';
import { ROLES } from '~/core/usuario';

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
