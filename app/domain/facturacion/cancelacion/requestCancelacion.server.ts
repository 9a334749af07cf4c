import { sql } from 'kysely';
import { NotAllowed, Stale } from '~/core/errors';
import { civilDay } from '~/core/time';
import { record } from '~/platform/bitacora.server';
import { acceptEffect, LIVE_STATES } from '~/platform/effects/effects.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { FacturacomReader } from '~/integrations/facturacom/read.server';
import type { Db, Trx } from '~db/client.server';
import { cancelCfdi } from './internal/cancelCfdi.server';
import { isCancelable, MOTIVOS, motivosOf, plazoOfCancelacion, sinNoticia, type Motivo } from './cancelacion';
import { nombreOf } from '~/domain/facturacion/cfdi/documento';
import { beginCancelando, lockCancelacion, settleRechazada } from './internal/settleCancelacion.server';
import { connectPacReader, findEmisor } from '~/domain/facturacion/cfdi/emisor.server';
import { followCancelacion } from './followCancelaciones.server';
import { lockOrdenesOfNota } from '~/domain/facturacion/cfdi/claims.server';

const TITULO = 'Error al cancelar.';
/** Time the page waits for the SAT's status before it asks anyway; the effect reads the status again. */
const PATIENCE_MS = 5_000;

/** The terms on which a document can be cancelled, for its dialog and for the command. */
export type Cancelable = {
  plazo: string;
  motivos: Motivo[];
  sustituto: { id: string; folio: string; uuid: string } | null;
  impedimento: string | null;
  /** The mark of these terms, for the forms of the dialog. */
  huella: string;
};

/** The terms on which a document can be cancelled now; `impedimento` is the reason against it, in words for people. */
export async function cancelableOf(db: Db | Trx, facturaId: string, now: Date): Promise<Cancelable> {
  const factura = await db
    .selectFrom('factura')
    .select(['id', 'tipo', 'estatus', 'fecha', 'numOrden', 'market'])
    .where('id', '=', facturaId)
    .executeTakeFirstOrThrow();
  const [emisor, notas, ajena, sustitutos, enCamino] = [
    await findEmisor(db),
    await db
      .selectFrom('notaCreditoOrden')
      .leftJoin('factura as nota', 'nota.id', 'notaCreditoOrden.notaId')
      .where('facturaId', '=', facturaId)
      .select(['nota.serie', 'nota.folio'])
      .distinct()
      .limit(4)
      .execute(),
    await ventaAjenaOf(db, facturaId),
    await db
      .selectFrom('factura')
      .select(['id', 'serie', 'folio', 'uuid'])
      .where('sustituyeId', '=', facturaId)
      .where('estatus', '<>', 'cancelada')
      .execute(),
    await db
      .selectFrom('effect')
      .innerJoin('facturaDraft', 'facturaDraft.effectId', 'effect.id')
      .select('effect.id')
      .where('sustituyeId', '=', facturaId)
      .where('state', 'in', LIVE_STATES)
      .executeTakeFirst(),
  ];
  const [sustituto] = sustitutos;
  const plazo = plazoOfCancelacion(factura.fecha, emisor?.rfc ?? '');
  const nombre = nombreOf(factura.tipo);
  const motivos = motivosOf(factura.tipo, { sustituto: sustituto !== undefined });
  return {
    huella: [factura.estatus, sustituto?.id ?? '', motivos.join()].join('·'),
    plazo,
    motivos,
    sustituto: sustituto
      ? { id: sustituto.id, folio: `${sustituto.serie}-${sustituto.folio}`, uuid: sustituto.uuid }
      : null,
    impedimento: impedimentoOf(),
  };

  function impedimentoOf(): string | null {
    if (factura.estatus === 'cancelada') return `La ${nombre} ya está cancelada.`;
    if (factura.estatus === 'cancelando') return `La cancelación de esta ${nombre} ya está en proceso.`;
    if (civilDay(now) > plazo)
      return `El plazo para cancelar esta ${nombre} terminó el ${plazo.split('-').reverse().join('/')}.`;
    if (notas.length > 0) {
      const folios = notas
        .map(({ serie, folio }) => (serie === null ? 'una que se está generando' : `${serie}-${folio}`))
        .join(', ');
      return `Tiene notas de crédito vigentes (${folios}). El SAT no cancela una factura con documentos relacionados: cancélalas primero.`;
    }
    if (ajena)
      return `La venta ${ajena.numOrden} de esta nota ya está en ${ajena.folio === null ? 'otra factura global que se está generando' : `la factura global ${ajena.folio}`}: sin la nota quedaría facturada dos veces. Cancela primero esa factura.`;
    return enCamino ? 'Se está generando la factura que la sustituye. Espera a que termine.' : null;
  }
}

/** A sale of a credit note that another global holds by now; undefined when there is none. Without the note two globals would charge it. */
async function ventaAjenaOf(
  db: Db | Trx,
  notaId: string,
): Promise<{ numOrden: string; folio: string | null } | undefined> {
  const { rows } = await sql<{ numOrden: string; folio: string | null }>`
    select orden.num_orden, f.serie || '-' || f.folio as folio
    from nota_credito_orden n join fiscal_claim c on c.orden_id = n.orden_id and c.kind = 'global'
    and c.factura_id is distinct from n.factura_id
      join orden on orden.id = n.orden_id left join factura f on f.id = c.factura_id
    where n.nota_id = ${notaId} and not n.parcial limit 1`.execute(db);
  return rows[0];
}

/** A person's request to cancel a document. */
export type PedirCancelacion = {
  facturaId: string;
  motivo: Motivo;
  usuarioId: string | null;
  now: Date;
  /** The terms that the screen showed; a caller without a screen asks under those that hold. */
  huella?: string;
};

/**
 * 'Cancelar': accepts the request to the SAT and returns the id of its effect. The SAT's status is read first, when it answers in time.
 * Throws NotAllowed with the reason, and Stale when the terms moved since they were shown.
 */
export async function requestCancelacion(db: Db, pedido: PedirCancelacion): Promise<string> {
  await askSat(db, pedido.facturaId);
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom('factura').select('id').where('id', '=', pedido.facturaId).forUpdate().executeTakeFirst();
    await lockOrdenesOfNota(trx, pedido.facturaId);
    const { impedimento, motivos, sustituto, huella } = await cancelableOf(trx, pedido.facturaId, pedido.now);
    if (impedimento) throw new NotAllowed(TITULO, impedimento);
    if (pedido.huella !== undefined && pedido.huella !== huella)
      throw new Stale(
        {
          cambios: [
            { campo: 'La sustituye', mio: 'como se veía', suyo: sustituto?.folio ?? 'ninguna factura' },
            { campo: 'Motivos que se admiten', mio: 'como se veían', suyo: motivos.join(', ') },
          ],
          marcas: { huella },
        },
        { titulo: TITULO },
      );
    if (!motivos.includes(pedido.motivo))
      throw new NotAllowed(TITULO, textOfMotivo(pedido.motivo, sustituto), { campo: 'motivo' });
    return acceptCancelacion(trx, { ...pedido, sustituto: pedido.motivo === '01' ? sustituto : null });
  });
}

function textOfMotivo(motivo: Motivo, sustituto: { folio: string } | null): string {
  if (sustituto) return `La factura ${sustituto.folio} ya la sustituye: el motivo es 01.`;
  if (motivo === '01') return 'Con el motivo 01 primero se emite la factura que la sustituye: usa «Sustituir».';
  return `El motivo ${motivo} (${MOTIVOS[motivo]}) no corresponde a este documento.`;
}

type Aceptar = {
  facturaId: string;
  motivo: Motivo;
  usuarioId: string | null;
  sustituto: { id: string; uuid: string } | null;
};

/**
 * Accepts the request to the SAT and returns the id of its effect. The caller has checked the terms, or is the stamp of the substitute.
 * Throws NotAllowed when the document does not stand.
 */
export async function acceptCancelacion(
  trx: Trx,
  { facturaId, motivo, usuarioId, sustituto }: Aceptar,
): Promise<string> {
  const factura = await beginCancelando(trx, facturaId);
  if (!factura) throw new NotAllowed(TITULO, 'La factura ya no está vigente.');
  const { id } = await acceptEffect(trx, cancelCfdi, {
    usuarioId,
    request: {
      facturaId,
      folio: `${factura.serie}-${factura.folio}`,
      uid: factura.uid,
      uuid: factura.uuid,
      motivo,
      folioSustituto: sustituto?.uuid ?? null,
    },
  });
  await trx
    .insertInto('cancelacion')
    .values({ facturaId, effectId: id, motivo, sustitutoId: sustituto?.id ?? null, usuarioId })
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'factura',
    entidadId: facturaId,
    accion: 'pedir cancelación',
    datos: { motivo, ...(sustituto && { sustituto: sustituto.uuid }) },
  });
  return id;
}

/**
 * 'Pedir otra vez': repeats a request of which the SAT knows nothing days later, though the PAC or a person said yes. The SAT's status is
 * read first. Returns the new effect, or the reason the document can only go back to standing. Throws NotAllowed when the cancellation no
 * longer waits.
 */
export async function requestAgain(
  db: Db,
  { facturaId, usuarioId, now }: Omit<PedirCancelacion, 'motivo'>,
): Promise<{ effectId: string } | { impedimento: string }> {
  await followCancelacion(db, facturaId);
  return db.transaction().execute(async (trx) => {
    const perdida = await lockCancelacion(trx, { facturaId });
    if (!perdida || !sinNoticia(perdida))
      throw new NotAllowed(TITULO, 'Esta cancelación ya no espera: vuelve a cargar la página.');
    await settleRechazada(trx, { ...perdida, usuarioId }, 'El SAT no tiene la solicitud.', 'cancelación sin noticia');
    const { impedimento, motivos, sustituto } = await cancelableOf(trx, facturaId, now);
    if (impedimento) return { impedimento };
    if (!motivos.includes(perdida.motivo)) return { impedimento: textOfMotivo(perdida.motivo, sustituto) };
    return {
      effectId: await acceptCancelacion(trx, {
        facturaId,
        motivo: perdida.motivo,
        usuarioId,
        sustituto: perdida.motivo === '01' ? sustituto : null,
      }),
    };
  });
}

/**
 * Throws NotAllowed when the SAT says that the document has relations, as with one made at the PAC's own page. A SAT that does not answer
 * is no reason against.
 */
async function askSat(db: Db, facturaId: string): Promise<void> {
  const factura = await db.selectFrom('factura').select(['uid']).where('id', '=', facturaId).executeTakeFirst();
  if (!factura) throw new NotAllowed(TITULO, 'La factura ya no existe.');
  const estado = await statusOf(await connectPacReader(db, { timeoutMs: PATIENCE_MS }), factura.uid);
  const conSustituto = await db
    .selectFrom('factura')
    .select('id')
    .where('sustituyeId', '=', facturaId)
    .where('estatus', '<>', 'cancelada')
    .executeTakeFirst();
  // The substitute itself is a relation; naming it with motive 01 is what lets the SAT cancel.
  if (estado && !conSustituto && !isCancelable(estado.esCancelable)) {
    throw new NotAllowed(
      TITULO,
      'El SAT dice que esta factura no es cancelable: tiene documentos relacionados vigentes.',
    );
  }
}

async function statusOf(pac: FacturacomReader, uid: string) {
  try {
    return await pac.cancelStatus(uid);
  } catch (error) {
    if (error instanceof Unavailable || error instanceof UnexpectedShape || error instanceof Refused) return undefined;
    throw error;
  }
}
