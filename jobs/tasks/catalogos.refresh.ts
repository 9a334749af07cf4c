import { refreshCatalogosOfPac } from '~/domain/facturacion/cfdi/emisor.server';
import { defineTask } from '../task.server';

export default defineTask('catalogos.refresh', (_payload, { db }) => refreshCatalogosOfPac(db));
