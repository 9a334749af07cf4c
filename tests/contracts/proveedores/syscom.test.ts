import { syscom } from '~/domain/connections/syscom.server';
import { accesoFijo } from '~/integrations/proveedores/acceso';
import { createSyscomWriter } from '~/integrations/proveedores/syscom/write.server';
import { proveedorContract } from './suite';

await proveedorContract(syscom, {
  llaves: { idUsuario: 'cli_demo_0001', secret: 'sec_demo_0001' },
  malas: { idUsuario: 'cli_demo_0001', secret: 'otro' },
  sinPrecio: { sinDistribucion: 'sinDistribucion', cero: 'cero', proyecto: 'proyecto' },
  opciones: { metodoPago: 'transferencia', fletera: 'estafeta' },
  // It takes orders in the other encoding alone, or writes the country the other way.
  niega: ['cuerpo:soloJson', 'cuerpo:soloPartes', 'pais:MÉX'],
  mudo: ['rechazo:html'],
  real: () => createSyscomWriter({ baseUrl: 'https://developers.syscom.mx', acceso: accesoFijo('') }),
  factura: 60,
  renueva: true,
});
