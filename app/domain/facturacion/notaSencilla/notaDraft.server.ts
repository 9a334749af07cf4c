import { z } from 'zod';
import { avisoPostal } from '~/core/codigoPostal';
import type { Mostrado } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { addDays, civilDay } from '~/core/time';
import { findCp } from '~/platform/direccion/codigosPostales.server';
import { withLugar } from '~/platform/direccion/direccion';
import type { Db, Trx } from '~db/client.server';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';
import { DraftArticulo, articulosInWords, choqueOf, marcasOf } from '~/domain/facturacion/emision/draft';
import { totalesOf } from '~/domain/facturacion/emision/draftSteps.server';
import { DraftDatosNota, type DatosNota, type VistoNota } from './forms';
import { datosVacios, DIAS_ATRAS_NOTA, NOTA, PASO_NOTA_TITULO, PASOS_NOTA, type PasoNota } from './notaSencilla';

/** A nota that is being prepared. With `notaId` it was issued, and its contents no longer change. */
export type NotaDraft = {
  id: string;
  usuarioId: string;
  articulos: Articulo[];
  datos: DraftDatosNota;
  version: number;
  actualizadoEn: Date;
  notaId: string | null;
};

type Quien = { id: string; rol: string };

/** Opens a draft with the rows of step 1 and returns its id. */
export async function openNotaDraft(db: Db, articulos: Articulo[], usuarioId: string): Promise<string> {
  const { id } = await db
    .insertInto('notaDraft')
    .values({ articulos: JSON.stringify(articulos), usuarioId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The newest draft that this person left half done; undefined when there is none. */
export async function unfinishedNota(
  db: Db,
  usuarioId: string,
): Promise<{ id: string; actualizadoEn: Date } | undefined> {
  return db
    .selectFrom('notaDraft')
    .leftJoin('notaSencilla', 'notaSencilla.draftId', 'notaDraft.id')
    .select(['notaDraft.id', 'actualizadoEn'])
    .where('notaDraft.usuarioId', '=', usuarioId)
    .where('notaSencilla.id', 'is', null)
    .orderBy('actualizadoEn', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * The draft, for the person who opened it, sa and admin. Throws NotAllowed for anybody else and for an unknown id. With `lock` the row is
 * held until the transaction ends.
 */
export async function requireNotaDraft(
  db: Db | Trx,
  id: string,
  usuario: Quien,
  { lock = false } = {},
): Promise<NotaDraft> {
  const row = z.uuid().safeParse(id).success
    ? await db
        .selectFrom('notaDraft')
        .select(['id', 'usuarioId', 'articulos', 'datos', 'version', 'actualizadoEn'])
        .where('id', '=', id)
        .$if(lock, (drafts) => drafts.forUpdate())
        .executeTakeFirst()
    : undefined;
  if (!row || (row.usuarioId !== usuario.id && usuario.rol !== 'sa' && usuario.rol !== 'admin')) {
    throw new NotAllowed(NOTA, SIN_BORRADOR);
  }
  const nota = await db.selectFrom('notaSencilla').select('id').where('draftId', '=', id).executeTakeFirst();
  return {
    ...row,
    ...contenidoOf(row),
    notaId: nota?.id ?? null,
  };
}

const SIN_BORRADOR = 'Este borrador ya no existe. Empieza otra nota.';

const contenidoOf = (row: { articulos: unknown; datos: unknown }) => ({
  articulos: z.array(DraftArticulo).parse(row.articulos),
  datos: row.datos === null ? datosVacios() : DraftDatosNota.parse(row.datos),
});

/**
 * Tells whether the draft holds only the trace of a look-up of this postal code. A person who typed on meanwhile and saves that code writes over
 * their own look-up.
 */
export const isSoloBuscada = ({ datos }: NotaDraft, cp: string): boolean => !datos.listos && datos.cp === cp;

/** The draft, when it is still as the screen showed it. Throws Stale otherwise. */
export function requireNotaVista(draft: NotaDraft, { version, mostrado }: VistoNota): NotaDraft {
  if (draft.version === version) return draft;
  throw new Stale(choqueOf(draft.version, { antes: mostrado, ahora: mostradoOfNota(draft) }));
}

/** A draft in the words of the screen: customer, contact, address, rows and total. */
function mostradoOfNota({ articulos, datos }: Pick<NotaDraft, 'articulos' | 'datos'>): Mostrado {
  return {
    Nombre: [datos.nombre, datos.apellidos].filter(Boolean).join(' '),
    Contacto: [datos.telefono, datos.email].filter(Boolean).join(' · '),
    Dirección: [
      datos.calle,
      datos.numeroExterior,
      datos.numeroInterior,
      datos.colonia,
      datos.cp,
      datos.ciudad,
      datos.municipio,
      datos.estado,
    ]
      .filter(Boolean)
      .join(', '),
    ...articulosInWords(articulos),
  };
}

/** Writes parts of a draft over the state that was read. Throws Stale when it moved, and NotAllowed when the nota was issued or the draft is gone. */
export async function saveNotaDraft(
  db: Db,
  draft: NotaDraft,
  change: { articulos?: Articulo[]; datos?: DraftDatosNota },
): Promise<void> {
  if (draft.notaId) throw new NotAllowed(NOTA, 'Esta nota ya se generó y no cambia. Empieza otra.');
  const { numUpdatedRows } = await db
    .updateTable('notaDraft')
    .set({
      ...(change.articulos && { articulos: JSON.stringify(change.articulos) }),
      ...(change.datos && { datos: JSON.stringify(change.datos) }),
      version: draft.version + 1,
      actualizadoEn: new Date(),
    })
    .where('id', '=', draft.id)
    .where('version', '=', draft.version)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  const row = await db
    .selectFrom('notaDraft')
    .select(['articulos', 'datos', 'version'])
    .where('id', '=', draft.id)
    .executeTakeFirst();
  if (!row) throw new NotAllowed(NOTA, SIN_BORRADOR);
  throw new Stale(choqueOf(row.version, { antes: mostradoOfNota(draft), ahora: mostradoOfNota(contenidoOf(row)) }));
}

/** Saves step 2 whole. The colonias of its postal code stay, for a person who comes back to change it. Throws as `saveNotaDraft`. */
export async function saveDatosNota(db: Db, draft: NotaDraft, datos: DatosNota): Promise<void> {
  await saveNotaDraft(db, draft, {
    datos: {
      ...draft.datos,
      ...datos,
      colonias: datos.cp === draft.datos.cp ? draft.datos.colonias : [],
      aviso: null,
      listos: true,
    },
  });
}

/** Keeps the day of the nota when its step is left by the header; the proposed day is not kept. Throws as `saveNotaDraft`. */
export async function keepFechaNota(db: Db, draft: NotaDraft, fecha: string): Promise<void> {
  if (fecha === (draft.datos.fecha ?? civilDay(new Date()))) return;
  await saveNotaDraft(db, draft, { datos: { ...draft.datos, fecha } });
}

/**
 * 'Buscar CP': saves the step as far as it was typed, and fills in the place of its postal code. A code that is not found leaves a notice. Throws as
 * `saveNotaDraft`.
 */
export async function lookUpCpOfNota(
  db: Db,
  draft: NotaDraft,
  escrito: Partial<Record<keyof DatosNota, string>>,
): Promise<void> {
  const typed = {
    ...datosVacios(),
    fecha: draft.datos.fecha,
    ...Object.fromEntries(Object.entries(escrito).filter(([, value]) => value !== undefined)),
    listos: false,
  };
  const cp = /(?<!\d)\d{5}(?!\d)/.exec(typed.cp)?.[0] ?? typed.cp.trim();
  const hallazgo = await findCp(db, cp);
  const datos =
    hallazgo.tipo === 'encontrado'
      ? { ...withLugar(typed, hallazgo.lugar), colonias: hallazgo.lugar.colonias }
      : { ...typed, cp, colonias: [], aviso: avisoPostal(hallazgo) };
  await saveNotaDraft(db, draft, { datos: DraftDatosNota.parse(datos) });
}

/** Everything that one step of the stepper shows. */
export type NotaDraftView = {
  paso: PasoNota;
  version: number;
  /** Instant of the last save. */
  guardadoEn: Date;
  /** The marks for the forms: the version and contents that the screen shows. */
  visto: { version: number; mostrado: string };
  pasos: { paso: PasoNota; titulo: string; abierto: boolean; actual: boolean; hecho: boolean }[];
  articulos: Articulo[];
  datos: DraftDatosNota;
  totales: { subTotal: string; iva: string; total: string };
  fechas: { hoy: string; min: string };
  /** The day that was chosen, or today. */
  fecha: string;
  nota: { id: string; folio: string } | null;
};

/** Reads a step of the stepper; a step that is not open yet shows the furthest that is. Throws as `requireNotaDraft`. */
export async function readNotaDraft(
  db: Db,
  id: string,
  usuario: Quien,
  wanted: string | null,
  now = new Date(),
): Promise<NotaDraftView> {
  const draft = await requireNotaDraft(db, id, usuario);
  const last: PasoNota = draft.notaId ? 'lista' : draft.datos.listos ? '3' : '2';
  const asked = PASOS_NOTA.find((one) => one === wanted) ?? last;
  const paso = last === 'lista' || PASOS_NOTA.indexOf(asked) > PASOS_NOTA.indexOf(last) ? last : asked;
  const hoy = civilDay(now);
  const min = addDays(hoy, -DIAS_ATRAS_NOTA);
  const { fecha = hoy, ...datos } = draft.datos;
  const nota = draft.notaId
    ? await db
        .selectFrom('notaSencilla')
        .select(['id', 'serie', 'folio'])
        .where('id', '=', draft.notaId)
        .executeTakeFirstOrThrow()
    : null;
  return {
    paso,
    version: draft.version,
    guardadoEn: draft.actualizadoEn,
    visto: marcasOf(draft.version, mostradoOfNota(draft)),
    pasos: (['1', '2', '3'] as const).map((one) => ({
      paso: one,
      titulo: PASO_NOTA_TITULO[one],
      actual: one === paso,
      abierto: last !== 'lista' && PASOS_NOTA.indexOf(one) <= PASOS_NOTA.indexOf(last),
      hecho: PASOS_NOTA.indexOf(one) < PASOS_NOTA.indexOf(paso),
    })),
    articulos: draft.articulos,
    datos,
    totales: totalesOf(draft.articulos),
    fechas: { hoy, min },
    fecha: fecha >= min && fecha <= hoy ? fecha : hoy,
    nota: nota && { id: nota.id, folio: `${nota.serie}-${nota.folio}` },
  };
}
