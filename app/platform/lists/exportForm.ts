import { z } from 'zod';
import { Id, Texto } from '~/core/fields';

const lista = Texto(60);
/** The page it was asked from. */
const volver = Texto(4_000).default('');

/** Longer than any address of a list that a screen of ours writes. */
export const PedirExportacion = z.object({ lista, search: Texto(2_000).default(''), volver });

export const QuitarExportacion = z.object({ id: Id, volver });

export const ExportacionesDe = z.object({ lista: lista.optional() });
