import { z } from 'zod';
import { Id, opcional } from '~/core/fields';
import { MARKETS } from '~/core/market';
import { XmlSubido } from '~/platform/files/xmlSubido';

/** Dropped CFDI de retenciones. `market` is named where the issuer is not known yet. */
export const RetencionesSubidas = XmlSubido.extend({ market: opcional(z.enum(MARKETS, 'Elige un mercado.')) });

/** A CFDI de retenciones that does not belong here. */
export const RetencionQuitada = z.object({ id: Id });
