import { enterAs, lastUsuario, listEntradas } from './almacen';
import { searchHere, open, openAddress } from './searchHere';
import { hasCamara } from './camara';
import { openCamara, onScan } from './etiqueta';
import { tell, conexionNow, showConexion, uno } from './pantalla';
import { onOpenNew, send, attempt, paintCola } from './porEnviar';
import { leave } from './leave';
import { listen } from './teclado';
import { puesto } from './puesto';
import { followLeave } from '~/ui/salida';

/**
 * Intervals between tries to send, in ms. Without signal nothing leaves the phone, so a look costs nothing. A server
 * that fails gets a longer pause.
 */
const OTRA_VEZ_MS = { bien: 15_000, falla: 15_000, sinSenal: 4_000 };

async function begin(): Promise<void> {
  const { base = '', lector = '', obrero, usuario } = document.body.dataset;
  if (usuario) await enterAs(usuario);
  Object.assign(puesto, { base, lector, usuario: usuario ?? (await lastUsuario()) });
  // The cached shell names no person: the page came from the phone, so there is no signal or no server.
  if (usuario === undefined) showConexion('sinSenal');
  onOpenNew((folio) => void open(folio));
  onScan(searchHere);
  listenToAll();
  await paintCola();
  document.body.dataset.listo = '1';
  // 'Escanear' in the bar of another screen leads straight to the camera.
  if (new URLSearchParams(location.search).has('escanear')) {
    history.replaceState(null, '', base);
    if (hasCamara()) void openCamara();
  }
  await Promise.all([openAddress(), attempt()]);
  // Persistent storage keeps the browser from clearing waiting presses when space is short.
  void navigator.storage?.persist?.();
  if (obrero && usuario !== undefined && 'serviceWorker' in navigator) {
    const registro = await navigator.serviceWorker.register(obrero, { scope: base });
    registro.active?.postMessage('nueva');
  }
}

function listenToAll(): void {
  // Presses that were not sent stay on the phone, under the name of who left.
  followLeave((address) => location.assign(address));
  const texto = uno<HTMLInputElement>('texto');
  listen(texto);
  uno('escanear').hidden = !hasCamara();
  uno('escanear').addEventListener('click', () => void openCamara());
  uno('pulgar').addEventListener('submit', (event) => {
    event.preventDefault();
    const dice = texto.value;
    // An empty field takes the next scan while this text is looked up.
    texto.value = '';
    void searchHere(dice);
  });
  uno('salir').addEventListener('click', (event) => {
    event.preventDefault();
    void leave();
  });
  // Out of here the browser would show a page of its own.
  document.querySelector('a.volver')!.addEventListener('click', (event) => {
    if (conexionNow() !== 'sinSenal') return;
    event.preventDefault();
    tell({ tono: 'aviso', texto: 'Sin señal solo se puede seguir en Bodega.' });
  });
  uno('conexion-otra').addEventListener('click', () => void attempt());
  const retry = () => void attempt();
  window.addEventListener('popstate', () => void openAddress());
  window.addEventListener('online', retry);
  window.addEventListener('offline', () => showConexion('sinSenal'));
  document.addEventListener('visibilitychange', () => !document.hidden && retry());
  const luego = () => setTimeout(() => void look().finally(luego), OTRA_VEZ_MS[conexionNow()]);
  luego();
}

async function look(): Promise<void> {
  if (conexionNow() !== 'bien') return attempt();
  if ((await listEntradas()).length > 0) await send();
}

await begin().catch((error: unknown) => {
  tell({
    tono: 'mal',
    texto:
      'Este navegador no deja guardar nada en el teléfono. Escribe el folio para abrir su ficha, o usa otro navegador.',
  });
  throw error;
});
