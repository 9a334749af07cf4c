import { enPesos } from '~/core/importe';
import { NotAllowed } from '~/core/errors';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';
import { mailFactura, resendFacturaMail } from '~/domain/facturacion/cfdi/mailFactura.server';
import { ensurePdf } from '~/domain/facturacion/cfdi/pdfFactura.server';
import { LIVE_STATES } from '~/platform/effects/effects.server';
import { cuantas, type Nombres } from '~/platform/batches/lote';
import type { Accion, FilaVista } from '~/platform/batches/lote.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Trx } from '~db/client.server';

const NOMBRES: Nombres = { una: 'factura', muchas: 'facturas', clave: 'Folio', titulo: 'Razón social' };

const read = (trx: Trx, ids: readonly string[]) =>
  trx
    .selectFrom('factura')
    .select(['id', 'serie', 'folio', 'rfc', 'razonSocial', 'total', 'estatus', 'emails'])
    .select((is) =>
      is
        .exists(
          is
            .selectFrom('effectSubject')
            .innerJoin('effect', 'effect.id', 'effectSubject.effectId')
            .where('entidad', '=', 'factura')
            .whereRef('entidadId', '=', is.cast<string>('factura.id', 'text'))
            .where('effect.type', '=', mailFactura.type)
            .where('effect.state', 'in', LIVE_STATES),
        )
        .as('enCamino'),
    )
    .where('id', 'in', [...ids])
    .execute();
type Factura = Awaited<ReturnType<typeof read>>[number];

const vistoOf = ({ estatus, emails }: Pick<Factura, 'estatus' | 'emails'>) => [estatus, ...emails].join(' ');

const look =
  (impedimentoDe: (factura: Factura) => string | null) =>
  async (trx: Trx, ids: readonly string[]): Promise<FilaVista[]> =>
    (await read(trx, ids)).map((factura) => ({
      id: factura.id,
      clave: `${factura.serie}-${factura.folio}`,
      titulo: `${factura.razonSocial} (${factura.rfc})`,
      importe: factura.total,
      visto: vistoOf(factura),
      impedimento: impedimentoDe(factura),
    }));

export const correoAClientes: Accion = {
  accion: 'reenviar',
  boton: 'Reenviar correo',
  nombres: NOMBRES,
  pregunta: (n, suma) => ({
    titulo: 'Reenviar correo',
    texto: '¿Está seguro que desea enviar el correo?',
    hechos: `Cada cliente recibe su PDF y su XML: ${cuantas(n, 'factura', 'facturas')} por ${enPesos(suma.toFixed(2))} en total.`,
  }),
  hecho: 'Se envio el correo.',
  fallo: 'Error al enviar el correo.',
  mira: look(({ estatus, emails, enCamino }) => {
    if (estatus !== 'vigente') return 'La factura está cancelada o en proceso de cancelarse.';
    if (emails.length === 0) return 'La factura no tiene un correo de contacto.';
    return enCamino ? 'El correo de esta factura ya va en camino.' : null;
  }),
  async visto(trx, id) {
    const factura = await trx
      .selectFrom('factura')
      .select(['estatus', 'emails'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return factura && vistoOf(factura);
  },
  aplica: async (trx, id, { usuarioId, batchId }) => [(await resendFacturaMail(trx, id, usuarioId, batchId)).id],
};

/** After so many that the PAC did not answer, the rest is not asked for: each would wait as long. */
const MOST_SILENCES = 3;
const PATIENCE_MS = 15_000;

/** What the PAC has and we do not is brought first, so that the file is complete; what it does not hand over is named in it. */
export const pdfYXml: Accion = {
  accion: 'archivos',
  boton: 'PDF y XML (zip)',
  nombres: NOMBRES,
  hecho: 'El archivo está listo.',
  fallo: 'Faltan algunos PDF; el archivo los nombra.',
  mira: look(() => null),
  trae(db) {
    let silences = 0;
    return async (id) => {
      const { pdfId } = await db.selectFrom('factura').select('pdfId').where('id', '=', id).executeTakeFirstOrThrow();
      if (pdfId) return;
      if (silences >= MOST_SILENCES) throw new NotAllowed('Error al cargar la factura', SIN_RESPUESTA);
      try {
        await ensurePdf(db, await connectPacReader(db, { timeoutMs: PATIENCE_MS }), id);
        silences = 0;
      } catch (error) {
        if (!(error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape))
          throw error;
        if (error instanceof Unavailable) silences += 1;
        throw new NotAllowed(
          'Error al cargar la factura',
          error instanceof Unavailable ? SIN_RESPUESTA : 'El PAC no entregó el PDF de esta factura.',
          { cause: error },
        );
      }
    };
  },
};

const SIN_RESPUESTA = 'El PAC no respondió cuando se le pidió el PDF.';
