import type { Identificador } from '~/core/identificador';
import { sql } from 'kysely';
import { z } from 'zod';
import { readRango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { addDays, civilDay, instantOf } from '~/core/time';
import { readArchivo, type Archivo } from '~/platform/files/archivos.server';
import { contains, defineList } from '~/platform/lists/list.server';
import type { Db } from '~db/client.server';
import { DraftArticulo } from '~/domain/facturacion/emision/draft';
import { DIAS_ATRAS_NOTA } from './notaSencilla';

const SORTS = ['fecha', 'folio', 'cliente', 'email', 'total'] as const;

/** The range that the list shows by default: every day on which a new nota may be dated. */
const byDefault = () => ({ desde: addDays(civilDay(new Date()), -DIAS_ATRAS_NOTA), hasta: civilDay(new Date()) });

const NotasFilter = z
  .object({ ...listFields(SORTS, '-fecha'), ...rangoFields })
  .transform((fields) => ({ ...fields, ...readRango(fields, byDefault()) }));

/** The list of notas sencillas. */
export const notasList = defineList({
  lista: 'notasSencillas',
  titulo: 'Notas sencillas',
  filtro: NotasFilter,
  id: 'notaSencilla.id',
  idsGrow: true,
  enteros: notasEnteras,
  sorts: {
    fecha: sql.ref('notaSencilla.fecha'),
    folio: sql.ref('notaSencilla.folio'),
    cliente: sql`f_norm(${sql.ref('notaSencilla.nombre')} || ' ' || ${sql.ref('notaSencilla.apellidos')})`,
    email: sql`lower(${sql.ref('notaSencilla.email')})`,
    total: sql.ref('notaSencilla.total'),
  },
  matches(db, { q, desde, hasta }, enteros) {
    const notas = db.selectFrom('notaSencilla');
    if (enteros) return notas.where(sql<boolean>`nota_sencilla.id in (${enteros})`);
    return notas
      .where('notaSencilla.fecha', '>=', desde)
      .where('notaSencilla.fecha', '<=', hasta)
      .$if(q !== '', (enRango) => enRango.where(contains('notaSencilla.busqueda', q)));
  },
  rows: (db) =>
    db
      .selectFrom('notaSencilla')
      .select([
        'notaSencilla.id',
        'notaSencilla.fecha',
        sql<string>`${sql.ref('notaSencilla.serie')} || '-' || ${sql.ref('notaSencilla.folio')}`.as('folio'),
        sql<string>`${sql.ref('notaSencilla.nombre')} || ' ' || ${sql.ref('notaSencilla.apellidos')}`.as('cliente'),
        'notaSencilla.telefono',
        'notaSencilla.email',
        'notaSencilla.total',
      ]),
  totales: (notas) => notas.select(sql<string>`coalesce(sum(${sql.ref('notaSencilla.total')}), 0)`.as('total')),
  excel: {
    hoja: 'Notas sencillas',
    sufijo: ({ desde, hasta }) => `${desde} a ${hasta}`,
    columnas: [
      { header: 'Fecha', tipo: 'fecha', valor: (nota) => instantOf(`${nota.fecha}T12:00:00`) },
      { header: 'Folio', tipo: 'texto', ancho: 12, valor: (nota) => nota.folio },
      { header: 'Cliente', tipo: 'texto', ancho: 36, valor: (nota) => nota.cliente },
      { header: 'Teléfono', tipo: 'texto', ancho: 14, valor: (nota) => nota.telefono },
      { header: 'Email', tipo: 'texto', ancho: 30, valor: (nota) => nota.email },
      { header: 'Total', tipo: 'pesos', ancho: 14, valor: (nota) => nota.total },
    ],
  },
});

const isId = (text: string) => z.uuid().safeParse(text).success;

/** A nota whole, as its dialog shows it; undefined when there is none by that id. */
export async function readNota(db: Db, id: string) {
  const nota = isId(id)
    ? await db
        .selectFrom('notaSencilla')
        .innerJoin('usuario', 'usuario.id', 'notaSencilla.usuarioId')
        .where('notaSencilla.id', '=', id)
        .select([
          'notaSencilla.id',
          'serie',
          'folio',
          'fecha',
          'notaSencilla.nombre',
          'notaSencilla.apellidos',
          'telefono',
          'notaSencilla.email',
          'cp',
          'colonia',
          'calle',
          'numeroExterior',
          'numeroInterior',
          'ciudad',
          'municipio',
          'estado',
          'articulos',
          'subtotal',
          'iva',
          'total',
          'creadaEn',
          sql<string>`usuario.nombre || ' ' || usuario.apellidos`.as('quien'),
        ])
        .executeTakeFirst()
    : undefined;
  return (
    nota && { ...nota, folio: `${nota.serie}-${nota.folio}`, articulos: z.array(DraftArticulo).parse(nota.articulos) }
  );
}

export type NotaWhole = NonNullable<Awaited<ReturnType<typeof readNota>>>;

/** The PDF of a nota with its name for a download; undefined when there is none. */
export async function readNotaFile(db: Db, id: string): Promise<{ nombre: string; archivo: Archivo } | undefined> {
  const nota = isId(id)
    ? await db.selectFrom('notaSencilla').select('pdfId').where('id', '=', id).executeTakeFirst()
    : undefined;
  const archivo = nota && (await readArchivo(db, nota.pdfId));
  return archivo && { nombre: archivo.nombre, archivo };
}

/** A query of the notas with an identifier that was typed whole; undefined for a kind of identifier that notas lack. */
export function notasEnteras(entero: Identificador) {
  return entero.clase === 'documento'
    ? sql`select id from nota_sencilla where serie = ${entero.serie} and folio = ${entero.folio}`
    : undefined;
}
