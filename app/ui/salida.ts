/** The field of the login's address that says that the person left, here or in another tab. */
const SALIDA = 'salida';
/** Where a logout leads to: that page clears what this tab kept, and tells the other tabs of this browser. */
export const SALIO = `/login?${SALIDA}=aqui`;
/** Where the other tabs go then. */
const SALIO_ALLA = `/login?${SALIDA}=alla`;

/** Returns whether the open address is where somebody who left arrives, and tells the other tabs. The address is then the login's. */
export function tookLeave(): boolean {
  const donde = new URLSearchParams(location.search).get(SALIDA);
  if (donde === null) return false;
  history.replaceState(history.state, '', location.pathname);
  if (donde === 'aqui') new BroadcastChannel(SALIDA).postMessage(null);
  return true;
}

/** Follows when the person leaves in another tab: what stands here is theirs. Whatever is under way here ended with their session. */
export function followLeave(open: (address: string) => unknown): () => void {
  const channel = new BroadcastChannel(SALIDA);
  channel.onmessage = () => void open(SALIO_ALLA);
  return () => channel.close();
}

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
