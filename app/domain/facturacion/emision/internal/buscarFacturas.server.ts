import { sql } from 'kysely';
import { contains } from '~/platform/lists/list.server';
import type { Buscador, Busqueda } from '~/platform/search/buscador';
import { facturasEnteras } from '../listFacturas.server';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** CFDI to customers, found by folio, UUID, order number, RFC, e-mail or words of the razón social, newest first. */
export const buscarFacturas: Buscador = {
  clase: 'facturas',
  titulo: 'Facturas de clientes',
  pantalla: 'facturasClientes',
  async find(db, busqueda) {
    const found = await db
      .selectFrom('factura')
      .select(['id', 'serie', 'folio', 'tipo', 'rfc', 'razonSocial', 'estatus', 'total', 'fechaTimbrado'])
      .where(which(busqueda))
      .orderBy('fechaTimbrado', 'desc')
      .orderBy('id', 'desc')
      .limit(busqueda.limite)
      .execute();
    return found.map((factura) => ({
      id: factura.id,
      titulo: `${factura.serie}-${factura.folio}`,
      detalle: [factura.rfc, factura.razonSocial, factura.estatus === 'cancelada' ? 'Cancelada' : '']
        .filter(Boolean)
        .join(' · '),
      fecha: factura.fechaTimbrado,
      a: `facturasClientes?${factura.tipo === 'notaCredito' ? 'tipo=notas&' : ''}ver=${factura.id}`,
    }));
  },
};

function which({ texto, entero }: Busqueda) {
  if (UUID.test(texto)) return sql<boolean>`factura.uuid in (${texto.toUpperCase()}, ${texto.toLowerCase()})`;
  if (texto.includes('@')) return sql<boolean>`f_correos(factura.emails) @> array[lower(${texto})]`;
  const ids = entero ? facturasEnteras(entero) : undefined;
  return ids ? sql<boolean>`factura.id in (${ids})` : contains('factura.busqueda', texto);
}
