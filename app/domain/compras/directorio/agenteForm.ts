import { z } from 'zod';
import { Email, Id, SiNo, Texto, Version } from '~/core/fields';

export const NewAgente = z.object({ nombre: Texto(80), apellidos: Texto(80), email: Email, proveedor: Texto(20) });
export type NewAgente = z.infer<typeof NewAgente>;

export const EstatusDeAgente = z.object({ id: Id, version: Version, activo: SiNo });
