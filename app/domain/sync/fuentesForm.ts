import { z } from 'zod';
import { Texto } from '~/core/fields';

/** The form that asks for every source again; `volver` is the page that people come back to. */
export const ReintentarFuentes = z.object({ volver: Texto(4_000).default('') });
