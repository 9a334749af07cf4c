/** How what changed at a marketplace is listed. */

export type Ventana = { from: Date; to: Date };
/** A row that says a sale changed. Its version is compared with those of rows alone, since the document carries another date. Null: the row does not say when. */
export type Cambio = { marketId: string; version: Date | null };

/** How the engine lets an adapter ask: it repeats what fails for reasons that pass, and stops when the run is stopped. */
export type Asking = { patiently: <T>(ask: () => Promise<T>) => Promise<T>; signal?: AbortSignal };
