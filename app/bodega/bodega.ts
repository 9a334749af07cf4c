import { entra, quien, todas } from './almacen';
import { buscar, abrir, muestraInicio } from './buscar';
import { hayCamara } from './camara';
import { abrirCamara, alEscanear } from './etiqueta';
import { avisa, comoEsta, conecta, uno } from './pantalla';
import { alAbrir, envia, intenta, pintaCola } from './porEnviar';
import { salir } from './salir';
import { escucha } from './teclado';
import { turno } from './turno';

/** How often what waits is tried again. Without signal nothing leaves the phone, so that looking costs nothing; a server that fails is left alone longer. */
const OTRA_VEZ_MS = { bien: 15_000, falla: 15_000, sinSenal: 4_000 };

async function empieza(): Promise<void> {
  const { base = '', lector = '', obrero, usuario } = document.body.dataset;
  if (usuario) await entra(usuario);
  Object.assign(turno, { base, lector, usuario: usuario ?? (await quien()) });
  // The shell names nobody: whoever opens it out of the phone has no signal, or nobody at the other end.
  if (usuario === undefined) conecta('sinSenal');
  alAbrir((folio) => void abrir(folio));
  alEscanear(buscar);
  escuchaTodo();
  await pintaCola();
  document.body.dataset.listo = '1';
  // From the bar of any other screen, who presses 'Escanear' is before the camera at once.
  if (new URLSearchParams(location.search).has('escanear')) {
    history.replaceState(null, '', base);
    if (hayCamara()) void abrirCamara();
  }
  await Promise.all([muestraInicio(), intenta()]);
  // What waits here is not the browser's to clear away when it is short of room.
  void navigator.storage?.persist?.();
  if (obrero && usuario !== undefined && 'serviceWorker' in navigator) {
    const registro = await navigator.serviceWorker.register(obrero, { scope: base });
    registro.active?.postMessage('nueva');
  }
}

function escuchaTodo(): void {
  const texto = uno<HTMLInputElement>('texto');
  escucha(texto);
  uno('escanear').hidden = !hayCamara();
  uno('escanear').addEventListener('click', () => void abrirCamara());
  uno('pulgar').addEventListener('submit', (event) => {
    event.preventDefault();
    const dice = texto.value;
    // The next scan is typed while this one is looked up.
    texto.value = '';
    void buscar(dice);
  });
  uno('salir').addEventListener('click', (event) => {
    event.preventDefault();
    void salir();
  });
  uno('conexion-otra').addEventListener('click', () => void intenta());
  const otraVez = () => void intenta();
  window.addEventListener('online', otraVez);
  window.addEventListener('offline', () => conecta('sinSenal'));
  document.addEventListener('visibilitychange', () => !document.hidden && otraVez());
  const luego = () => setTimeout(() => void mira().finally(luego), OTRA_VEZ_MS[comoEsta()]);
  luego();
}

async function mira(): Promise<void> {
  if (comoEsta() !== 'bien') return intenta();
  if ((await todas()).length > 0) await envia();
}

await empieza().catch((error: unknown) => {
  avisa({
    tono: 'mal',
    texto:
      'Este navegador no deja guardar nada en el teléfono. Escribe el folio para abrir su ficha, o usa otro navegador.',
  });
  throw error;
});
