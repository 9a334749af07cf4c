import { z } from 'zod';
import { Id, SiNo, Texto, Version } from '~/core/fields';

/** 'Nombre de la empresa', when one is added and when one is edited. */
export const NewEmpresa = z.object({ nombre: Texto(80) });
export const EmpresaEditada = NewEmpresa.extend({ id: Id, version: Version });
export type EmpresaEditada = z.infer<typeof EmpresaEditada>;

export const EstatusDeEmpresa = z.object({ id: Id, version: Version, activo: SiNo });
export type EstatusDeEmpresa = z.infer<typeof EstatusDeEmpresa>;
