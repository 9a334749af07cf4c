import { PROVEEDORES } from '~/domain/compras/directorio/connections.server';
import { facturacom } from '~/domain/facturacion/cfdi/facturacom.server';
import { amazon } from '~/domain/mercados/amz/conexion.server';
import { mercadolibre } from '~/domain/mercados/ml/conexion.server';
import type { FarSide } from '~/platform/connections/definition';
import { correo } from './internal/correo.server';

/** Every far side, in the order of 'Activación de API'. A new one is its folder in `integrations`, its file in the room of its nouns and its line here. */
export const FAR_SIDES: readonly FarSide[] = [mercadolibre, amazon, facturacom, correo, ...PROVEEDORES];
