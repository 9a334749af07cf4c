import { z } from 'zod';
import { cambiosEntre, withEtiquetas } from '~/core/choque';
import { Stale } from '~/core/errors';
import { toInstant } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';

/** The settings of how customers get their links and their CFDI. Each is a row of `ajuste`; without its row the default holds. */
const Ajustes = z.object({
  /** Days a link lives. */
  enlace_dias: z.number().int().min(1).max(365).default(30),
  /** Instant since which a link is sent by itself once a sale is paid; null: none is. Sales paid before are left alone. */
  enlace_automatico: z.iso.datetime().nullable().default(null),
  /** Whether the stamped CFDI is also handed to the buyer at the marketplace. */
  subir_cfdi_ml: z.boolean().default(false),
});

/** The settings as the rest of the room reads them. */
export type AjustesFacturacion = { enlaceDias: number; enlaceAutomatico: Date | null; subirCfdiMl: boolean };

/** Reads the settings; each has its default until somebody saves it. */
export async function readAjustesFacturacion(db: Db | Trx): Promise<AjustesFacturacion> {
  const rows = await db
    .selectFrom('ajuste')
    .select(['clave', 'valor'])
    .where('clave', 'in', Object.keys(Ajustes.shape))
    .execute();
  const ajustes = Ajustes.parse(Object.fromEntries(rows.map(({ clave, valor }) => [clave, valor])));
  return {
    enlaceDias: ajustes.enlace_dias,
    enlaceAutomatico: ajustes.enlace_automatico === null ? null : toInstant(ajustes.enlace_automatico),
    subirCfdiMl: ajustes.subir_cfdi_ml,
  };
}

export type CambioAjustes = {
  enlaceDias: number;
  enlaceAutomatico: boolean;
  subirCfdiMl: boolean;
  /** The settings that the screen showed; a script without a screen decides about those that hold. */ huella?: string;
};

const ETIQUETAS = {
  enlaceDias: 'Días que vive un enlace',
  enlaceAutomatico: 'Enviar al confirmarse el pago',
  subirCfdiMl: 'Entregar la factura en su venta',
} as const;
const wordsOf = ({ enlaceDias, enlaceAutomatico, subirCfdiMl }: CambioAjustes) => ({
  enlaceDias,
  enlaceAutomatico: enlaceAutomatico ? 'Sí' : 'No',
  subirCfdiMl: subirCfdiMl ? 'Sí' : 'No',
});

/** The mark of the settings that a screen shows, for its form. */
export const huellaOfAjustes = ({ enlaceDias, enlaceAutomatico, subirCfdiMl }: AjustesFacturacion) =>
  [enlaceDias, enlaceAutomatico === null ? 'no' : enlaceAutomatico.toISOString(), subirCfdiMl].join('·');

/** Saves the settings. Throws Stale when they are not those of `huella`. */
export async function saveAjustesFacturacion(
  db: Db,
  { huella, ...cambio }: CambioAjustes,
  usuarioId: string | null,
  now = new Date(),
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockName(trx, 'ajustes');
    const antes = await readAjustesFacturacion(trx);
    if (huella !== undefined && huella !== huellaOfAjustes(antes))
      throw new Stale({
        cambios: cambiosEntre(
          withEtiquetas(ETIQUETAS, wordsOf(cambio)),
          withEtiquetas(ETIQUETAS, wordsOf({ ...antes, enlaceAutomatico: antes.enlaceAutomatico !== null })),
        ),
        marcas: { huella: huellaOfAjustes(antes) },
      });
    const desde = cambio.enlaceAutomatico ? (antes.enlaceAutomatico ?? now).toISOString() : null;
    const valores: z.output<typeof Ajustes> = {
      enlace_dias: cambio.enlaceDias,
      enlace_automatico: desde,
      subir_cfdi_ml: cambio.subirCfdiMl,
    };
    await trx
      .insertInto('ajuste')
      .values(Object.entries(valores).map(([clave, valor]) => ({ clave, valor: JSON.stringify(valor) })))
      .onConflict((conflict) =>
        conflict.column('clave').doUpdateSet((eb) => ({ valor: eb.ref('excluded.valor'), actualizadoEn: new Date() })),
      )
      .execute();
    await record(trx, {
      usuarioId,
      entidad: 'ajuste',
      entidadId: 'facturacion',
      accion: 'guardar',
      datos: { ...cambio },
    });
  });
}
