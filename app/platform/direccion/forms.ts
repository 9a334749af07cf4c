import { z } from 'zod';
import { ILEGIBLE } from '~/core/fields';
import { isStorable } from '~/core/text';

const libre = (max: number) =>
  z.string().trim().max(max, `Máximo ${max} caracteres`).refine(isStorable, ILEGIBLE).default('');

/** Fields of an address but the postal code, which each form asks for in its own way. */
export const direccionFields = {
  colonia: libre(120),
  calle: libre(120),
  numeroExterior: libre(30),
  numeroInterior: libre(30),
  ciudad: libre(120),
  municipio: libre(120),
  estado: libre(80),
};
