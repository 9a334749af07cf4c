/** The name of the warehouse's database on a phone (app/bodega/almacen.ts). */
const BASE = 'bodega';

/** Forgets the pieces a person looked at, when the person signs out. Unsent work stays under their name and is sent when they come back. */
export function forgetPieces(): void {
  const request = indexedDB.open(BASE);
  // This browser never opened the warehouse, so no database is made.
  request.onupgradeneeded = () => request.transaction?.abort();
  request.onsuccess = () => {
    const { result: base } = request;
    const kept = base.transaction(['piezas', 'sesion'], 'readwrite');
    kept.objectStore('piezas').clear();
    kept.objectStore('sesion').clear();
    kept.oncomplete = () => base.close();
  };
}
