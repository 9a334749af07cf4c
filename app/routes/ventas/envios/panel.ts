import { definePanel } from '~/ui/ficha/panel';
import { ENVIO_AUSENTE } from './textos';

/** The panel of an envío, on every list that shows envíos. */
export const envioPanel = definePanel('EnvioFicha', {
  load: async () => (await import('./EnvioFicha')).EnvioFicha,
  que: 'Envío',
  ausente: ENVIO_AUSENTE,
});
