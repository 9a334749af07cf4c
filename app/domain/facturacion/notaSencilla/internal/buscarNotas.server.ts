import { sql } from 'kysely';
import { contains } from '~/platform/lists/list.server';
import type { Buscador } from '~/platform/search/buscador';
import { notasEnteras } from '../listNotas.server';

/** Notas sencillas, found by folio, customer, e-mail or telephone, newest first. */
export const buscarNotas: Buscador = {
  clase: 'notas',
  titulo: 'Notas sencillas',
  pantalla: 'notasSencillas',
  async find(db, { texto, entero, limite }) {
    const ids = entero ? notasEnteras(entero) : undefined;
    const found = await db
      .selectFrom('notaSencilla')
      .select(['id', 'serie', 'folio', 'nombre', 'apellidos', 'email', 'creadaEn'])
      .where(ids ? sql<boolean>`nota_sencilla.id in (${ids})` : contains('notaSencilla.busqueda', texto))
      .orderBy('creadaEn', 'desc')
      .orderBy('id', 'desc')
      .limit(limite)
      .execute();
    return found.map((nota) => ({
      id: nota.id,
      titulo: `${nota.serie}-${nota.folio}`,
      detalle: `${nota.nombre} ${nota.apellidos} · ${nota.email}`,
      fecha: nota.creadaEn,
      a: `notasSencillas?ver=${nota.id}`,
    }));
  },
};
