import { z } from 'zod';
import { Secreto } from '~/core/fields';
import type { KeyField } from './definition';

/** The keys a far side asks for, all of them. */
export const llavesOf = (fields: readonly KeyField[]) =>
  z.object(Object.fromEntries(fields.map(({ name }) => [name, Secreto(300)])));
