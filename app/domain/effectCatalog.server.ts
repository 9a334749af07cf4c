import { effectCatalog } from './effects/definition';
import { reportEnvio } from './envios/reportEnvio.server';
import { cancelCfdi } from './facturas/cancelCfdi.server';
import { mailEnlace } from './facturas/mailEnlace.server';
import { mailFactura } from './facturas/mailFactura.server';
import { mailNota } from './facturas/mailNota.server';
import { messageEnlace } from './facturas/messageEnlace.server';
import { savePacClient } from './facturas/savePacClient.server';
import { savePublicClient } from './facturas/savePublicClient.server';
import { stampFactura } from './facturas/stampFactura.server';
import { stampGlobal } from './facturas/stampGlobal.server';
import { stampNotaCredito } from './facturas/stampNotaCredito.server';
import { uploadCfdiMl } from './facturas/uploadCfdiMl.server';
import { mailProveedor } from './proveedores/mailProveedor.server';

/** Every kind of call that changes the outside world. */
export const EFFECTS = effectCatalog([stampFactura, stampGlobal, stampNotaCredito, cancelCfdi, savePacClient, savePublicClient, mailFactura, mailNota, mailEnlace, messageEnlace, uploadCfdiMl, mailProveedor, reportEnvio]);
