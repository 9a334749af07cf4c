import { z } from 'zod';
import { Texto } from '~/core/fields';

/** What somebody typed in the box; nothing yet, too. */
export const Buscado = z.object({ q: Texto(200).default('') });
