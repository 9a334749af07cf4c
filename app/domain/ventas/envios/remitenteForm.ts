import { z } from 'zod';
import { telefonoEscrito } from '~/core/escrito';
import { Cp, Email, REQUERIDO, Texto, Version } from '~/core/fields';

/** The sender, as labels show it. The lengths are those that carriers print. */
export const RemitenteForm = z.object({
  version: Version,
  nombre: Texto(30),
  calle: Texto(60),
  colonia: Texto(60).optional(),
  ciudad: Texto(30),
  estado: Texto(30),
  cp: Cp,
  telefono: telefonoEscrito(REQUERIDO),
  email: Email,
});
