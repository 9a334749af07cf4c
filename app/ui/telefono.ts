/** What the warehouse's page keeps on a phone (app/bodega/almacen.ts). */
const BASE = 'bodega';

/** When somebody leaves: pieces they looked at go with them. What is not sent stays under their name, and is sent when they come back. */
export function forgetPieces(): void {
  const request = indexedDB.open(BASE);
  // This browser never opened that page: nothing is made that was not there.
  request.onupgradeneeded = () => request.transaction?.abort();
  request.onsuccess = () => {
    const { result: base } = request;
    const kept = base.transaction(['piezas', 'sesion'], 'readwrite');
    kept.objectStore('piezas').clear();
    kept.objectStore('sesion').clear();
    kept.oncomplete = () => base.close();
  };
}
