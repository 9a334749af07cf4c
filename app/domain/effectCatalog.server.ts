import { effectCatalog } from './effects/definition';
import { reportEnvio } from './envios/reportEnvio.server';
import { cancelCfdi } from './facturas/cancelacion/cancelCfdi.server';
import { mailEnlace } from './facturas/enlaces/mailEnlace.server';
import { mailFactura } from './facturas/mailFactura.server';
import { mailNota } from './facturas/notaSencilla/mailNota.server';
import { messageEnlace } from './facturas/enlaces/messageEnlace.server';
import { savePacClient } from './facturas/clientes/savePacClient.server';
import { savePublicClient } from './facturas/publico/savePublicClient.server';
import { stampFactura } from './facturas/stampFactura.server';
import { stampGlobal } from './facturas/mes/stampGlobal.server';
import { stampNotaCredito } from './facturas/notasCredito/stampNotaCredito.server';
import { uploadCfdiMl } from './facturas/uploadCfdiMl.server';
import { mailProveedor } from './proveedores/mailProveedor.server';

/** Every kind of call that changes the outside world. */
export const EFFECTS = effectCatalog([
  stampFactura,
  stampGlobal,
  stampNotaCredito,
  cancelCfdi,
  savePacClient,
  savePublicClient,
  mailFactura,
  mailNota,
  mailEnlace,
  messageEnlace,
  uploadCfdiMl,
  mailProveedor,
  reportEnvio,
]);
