import { z } from 'zod';
import { cambiosEntre, conEtiquetas } from '~/core/choque';
import { Stale } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';

/** How customers get their links and their CFDI, chosen by people. Each is a row of `ajuste`; without its row the default holds. */
const Ajustes = z.object({
  /** Days a link lives. */
  enlace_dias: z.number().int().min(1).max(365).default(30),
  /** Since when the link is sent by itself once a sale is paid; null: it is not. Sales from before are left alone. */
  enlace_automatico: z.iso.datetime().nullable().default(null),
  /** Whether the stamped CFDI is handed to the buyer at Mercado Libre too. */
  subir_cfdi_ml: z.boolean().default(false),
});

export type AjustesFacturacion = { enlaceDias: number; enlaceAutomatico: Date | null; subirCfdiMl: boolean };

export async function readAjustesFacturacion(db: Db | Trx): Promise<AjustesFacturacion> {
  const rows = await db
    .selectFrom('ajuste')
    .select(['clave', 'valor'])
    .where('clave', 'in', Object.keys(Ajustes.shape))
    .execute();
  const ajustes = Ajustes.parse(Object.fromEntries(rows.map(({ clave, valor }) => [clave, valor])));
  return {
    enlaceDias: ajustes.enlace_dias,
    enlaceAutomatico: ajustes.enlace_automatico === null ? null : new Date(ajustes.enlace_automatico),
    subirCfdiMl: ajustes.subir_cfdi_ml,
  };
}

export type CambioAjustes = {
  enlaceDias: number;
  enlaceAutomatico: boolean;
  subirCfdiMl: boolean;
  /** What the screen showed of them; a script decides about what there is. */ huella?: string;
};

const ETIQUETAS = {
  enlaceDias: 'Días que vive un enlace',
  enlaceAutomatico: 'Enviar al confirmarse el pago',
  subirCfdiMl: 'Entregar la factura en su venta',
} as const;
const enPalabras = ({ enlaceDias, enlaceAutomatico, subirCfdiMl }: CambioAjustes) => ({
  enlaceDias,
  enlaceAutomatico: enlaceAutomatico ? 'Sí' : 'No',
  subirCfdiMl: subirCfdiMl ? 'Sí' : 'No',
});

/** Which of them the screen showed. */
export const huellaOfAjustes = ({ enlaceDias, enlaceAutomatico, subirCfdiMl }: AjustesFacturacion) =>
  [enlaceDias, enlaceAutomatico === null ? 'no' : enlaceAutomatico.toISOString(), subirCfdiMl].join('·');

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
          conEtiquetas(ETIQUETAS, enPalabras(cambio)),
          conEtiquetas(ETIQUETAS, enPalabras({ ...antes, enlaceAutomatico: antes.enlaceAutomatico !== null })),
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
