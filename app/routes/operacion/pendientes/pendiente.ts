import type { readPendiente } from '~/domain/operacion/mantenimiento/tablero.server';

export type Leida = NonNullable<Awaited<ReturnType<typeof readPendiente>>>;

/** A call in the words of its kind, with the decisions a person may take. */
export type Pendiente = Leida & {
  que: string;
  conexion: string;
  wire: string;
  says: 'uuid' | 'folio' | 'done' | null;
  /** The name of the identifier, where it is no folio of a pedido. */
  llama: string | null;
  seBusca: boolean;
  seEnvia: boolean;
  /** Whether 'Cancelar la repetida' cancels at the far side. */
  seCancela: boolean;
  /** Why nothing of this kind is looked for late; null where it is. */
  sinMirada: string | null;
};
