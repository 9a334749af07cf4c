import { z } from 'zod';
import { EMAIL_NO_VALIDO, isEmail } from '~/core/email';
import { isAcceptablePassword } from './password';
import { ROLES } from './usuario';

export const REQUERIDO = 'Este dato es requerido';
const PASSWORD_NO_VALIDO = 'La contraseña no conincide con los requisitos minimos';

const text = (max: number) =>
  z.string({ error: REQUERIDO }).trim().min(1, REQUERIDO).max(max, `Máximo ${max} caracteres`);

/** 'General info' of a user: what a profile and the users screen save together. */
export const InformacionGeneral = z.object({
  nombre: text(80),
  apellidos: text(80),
  usuario: text(60).regex(/^\S+$/, 'Usuario No Valido'),
  email: text(120).refine(isEmail, EMAIL_NO_VALIDO),
  version: z.number({ error: REQUERIDO }).int(),
});
export type InformacionGeneral = z.infer<typeof InformacionGeneral>;

/** The users screen sets the role as well. Whether this person may give it is the domain's question. */
export const InformacionDeUsuario = InformacionGeneral.extend({
  id: z.uuid(),
  rol: z.enum(ROLES, { error: REQUERIDO }),
});
export type InformacionDeUsuario = z.infer<typeof InformacionDeUsuario>;

const nuevoPassword = {
  password: z.string({ error: REQUERIDO }).min(1, REQUERIDO).refine(isAcceptablePassword, PASSWORD_NO_VALIDO),
  confirmar: z.string({ error: REQUERIDO }).min(1, REQUERIDO),
};
const isRepeated = ({ password, confirmar }: { password: string; confirmar: string }) => password === confirmar;
/** The profile and the users screen say it in different words. */
const enPerfil = { error: 'Esta contraseña no coincide con la anterior.', path: ['confirmar'] };
const enUsuarios = { error: 'Este password no coincide con el anterior.', path: ['confirmar'] };

export const PasswordPropio = z.object(nuevoPassword).refine(isRepeated, enPerfil);
export const PasswordDeUsuario = z.object({ ...nuevoPassword, id: z.uuid() }).refine(isRepeated, enUsuarios);
export const NewUsuario = InformacionDeUsuario.omit({ id: true, version: true })
  .extend(nuevoPassword)
  .refine(isRepeated, enUsuarios);
export type NewUsuario = Omit<z.infer<typeof NewUsuario>, 'confirmar'>;

export const EstatusDeUsuario = z.object({
  id: z.uuid(),
  version: z.number().int(),
  activo: z.enum(['0', '1']).transform((activo) => activo === '1'),
});
