import { z } from 'zod';
import { Email, Id, SiNo, Texto, Version, Huella, opcional, REQUERIDO, Rfc, TextoOpcional } from '~/core/fields';
import { telefonoEscrito } from '~/core/escrito';
import { REGLAS } from './proveedor';

/** A new agent. The telephone is ten digits, and the extension if written. */
export const NewAgente = z.object({
  nombre: Texto(80),
  apellidos: Texto(80),
  email: Email,
  proveedor: Texto(20),
  telefono: opcional(telefonoEscrito(REQUERIDO)),
});
export type NewAgente = z.infer<typeof NewAgente>;

/** The facts of an agent that can be corrected, with the version that the screen showed. */
export const AgenteEditado = NewAgente.extend({ id: Id, version: Version });
export type AgenteEditado = z.infer<typeof AgenteEditado>;

/** The state that an agent is to have, with the version that the screen showed. */
export const EstatusDeAgente = z.object({ id: Id, version: Version, activo: SiNo });

/** The switches of a supplier's orders, with the mark of what the screen showed. */
export const PedidosForm = z.object({ huella: Huella, crearPedido: SiNo, comprarSinConfirmar: SiNo });
export type PedidosForm = z.infer<typeof PedidosForm>;

/** Only web addresses: the links are shown to everybody. */
const link = opcional(Texto(300).regex(/^https?:\/\/\S+$/i, 'Escribe una dirección que empiece con https://'));

const datos = {
  label: Texto(40),
  linkHome: link,
  linkProductos: link,
  linkFactura: link,
  reglaFactura: z.enum(REGLAS, { error: REQUERIDO }),
  sufijoFactura: TextoOpcional(100),
  rfc: opcional(Rfc),
  email: opcional(Email),
  /** Days from an invoice to the last day to pay it; empty while nobody said. */
  plazoDias: opcional(
    z
      .number('Escribe los días, de 0 a 365.')
      .int('Escribe los días, de 0 a 365.')
      .min(0, 'Escribe los días, de 0 a 365.')
      .max(365, 'Escribe los días, de 0 a 365.'),
  ),
  activo: SiNo.default(true),
};

/** The facts of a supplier that can be edited. */
export const ProveedorEditado = z.object({ ...datos, value: Texto(20), version: Version });
export type ProveedorEditado = z.infer<typeof ProveedorEditado>;

/** A new supplier. Its key is the third part of a sku and never changes afterwards. */
export const NewProveedor = z.object({
  ...datos,
  value: Texto(20).regex(/^[a-z0-9]{2,20}$/, 'De 2 a 20 letras minúsculas o números'),
});
export type NewProveedor = z.infer<typeof NewProveedor>;
