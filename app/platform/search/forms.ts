import { z } from 'zod';
import { Texto } from '~/core/fields';

/** The text of the search box; '' while nothing was typed. */
export const Buscado = z.object({ q: Texto(200).default('') });
