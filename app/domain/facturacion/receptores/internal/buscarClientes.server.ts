import { sql } from 'kysely';
import { contains } from '~/platform/lists/list.server';
import type { Buscador } from '~/platform/search/buscador';

/** Customers found by RFC, razón social, postal code, telephone or e-mail address, newest first. */
export const buscarClientes: Buscador = {
  clase: 'clientes',
  titulo: 'Datos Fiscales de Clientes',
  pantalla: 'datosFiscales',
  async find(db, { texto, limite }) {
    const found = await db
      .selectFrom('clienteConocido')
      .select(['id', 'rfc', 'razonSocial', 'cp', 'fechaCreacion'])
      .where(
        texto.includes('@')
          ? sql<boolean>`f_correos(emails) @> array[lower(${texto})]`
          : contains('clienteConocido.busqueda', texto),
      )
      .orderBy('fechaCreacion', 'desc')
      .orderBy('id', 'desc')
      .limit(limite)
      .$narrowType<{ id: string; rfc: string; razonSocial: string }>()
      .execute();
    return found.map((cliente) => ({
      id: cliente.id,
      titulo: cliente.razonSocial,
      detalle: [cliente.rfc, cliente.cp].filter(Boolean).join(' · '),
      fecha: cliente.fechaCreacion,
      a: `datosFiscales?ver=${cliente.id}`,
    }));
  },
};
