/** A stretch of time in which something changed, from `from` until before `to`. */
export type Ventana = { from: Date; to: Date };
/** A row that says that a sale changed. Its version is compared with versions of rows alone, since the document carries another date. Null: the row does not say when. */
export type Cambio = { marketId: string; version: Date | null };

/** The engine's way of asking: `patiently` repeats a question that fails for a reason that passes, and `signal` stops the run. */
export type Asking = { patiently: <T>(ask: () => Promise<T>) => Promise<T>; signal?: AbortSignal };
