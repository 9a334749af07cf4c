import { effectCatalog } from './effects/definition';
import { mailFactura } from './facturas/mailFactura.server';
import { savePacClient } from './facturas/savePacClient.server';
import { stampFactura } from './facturas/stampFactura.server';

/** Every kind of call that changes the outside world. */
export const EFFECTS = effectCatalog([stampFactura, savePacClient, mailFactura]);
