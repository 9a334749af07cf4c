import { z } from 'zod';
import { Version } from '~/core/fields';

/** One of the notices that could not be read. */
export const UnAviso = z.object({ aviso: Version });
