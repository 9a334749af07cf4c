import { z } from 'zod';
import { Texto } from '~/core/fields';

/** `volver` is the page it was asked from. */
export const ReintentarFuentes = z.object({ volver: Texto(4_000).default('') });
