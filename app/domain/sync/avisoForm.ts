import { z } from 'zod';
import { Version } from '~/core/fields';

/** The form about a notice that could not be read. */
export const UnAviso = z.object({ aviso: Version });
