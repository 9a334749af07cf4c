import { enters, quien, todas } from './almacen';
import { searchHere, open, showInicio } from './searchHere';
import { hasCamara } from './camara';
import { openCamara, alEscanear } from './etiqueta';
import { tell, comoEsta, connects, uno } from './pantalla';
import { alAbrir, send, attempt, paintCola } from './porEnviar';
import { leave } from './leave';
import { listen } from './teclado';
import { puesto } from './puesto';

/** How often what waits is tried again. Without signal nothing leaves the phone, so that looking costs nothing; a server that fails is left alone longer. */
const OTRA_VEZ_MS = { bien: 15_000, falla: 15_000, sinSenal: 4_000 };

async function empieza(): Promise<void> {
  const { base = '', lector = '', obrero, usuario } = document.body.dataset;
  if (usuario) await enters(usuario);
  Object.assign(puesto, { base, lector, usuario: usuario ?? (await quien()) });
  // The shell names nobody: whoever opens it out of the phone has no signal, or nobody at the other end.
  if (usuario === undefined) connects('sinSenal');
  alAbrir((folio) => void open(folio));
  alEscanear(searchHere);
  listenToAll();
  await paintCola();
  document.body.dataset.listo = '1';
  // From the bar of any other screen, who presses 'Escanear' is before the camera at once.
  if (new URLSearchParams(location.search).has('escanear')) {
    history.replaceState(null, '', base);
    if (hasCamara()) void openCamara();
  }
  await Promise.all([showInicio(), attempt()]);
  // What waits here is not the browser's to clear away when it is short of room.
  void navigator.storage?.persist?.();
  if (obrero && usuario !== undefined && 'serviceWorker' in navigator) {
    const registro = await navigator.serviceWorker.register(obrero, { scope: base });
    registro.active?.postMessage('nueva');
  }
}

function listenToAll(): void {
  const texto = uno<HTMLInputElement>('texto');
  listen(texto);
  uno('escanear').hidden = !hasCamara();
  uno('escanear').addEventListener('click', () => void openCamara());
  uno('pulgar').addEventListener('submit', (event) => {
    event.preventDefault();
    const dice = texto.value;
    // The next scan is typed while this one is looked up.
    texto.value = '';
    void searchHere(dice);
  });
  uno('salir').addEventListener('click', (event) => {
    event.preventDefault();
    void leave();
  });
  uno('conexion-otra').addEventListener('click', () => void attempt());
  const otraVez = () => void attempt();
  window.addEventListener('online', otraVez);
  window.addEventListener('offline', () => connects('sinSenal'));
  document.addEventListener('visibilitychange', () => !document.hidden && otraVez());
  const luego = () => setTimeout(() => void look().finally(luego), OTRA_VEZ_MS[comoEsta()]);
  luego();
}

async function look(): Promise<void> {
  if (comoEsta() !== 'bien') return attempt();
  if ((await todas()).length > 0) await send();
}

await empieza().catch((error: unknown) => {
  tell({
    tono: 'mal',
    texto:
      'Este navegador no deja guardar nada en el teléfono. Escribe el folio para abrir su ficha, o usa otro navegador.',
  });
  throw error;
});
