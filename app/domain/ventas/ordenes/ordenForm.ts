import { z } from 'zod';
import { Id } from '~/core/fields';

export const UnaOrden = z.object({ orden: Id });
