import { sql } from 'kysely';
import { z } from 'zod';
import { isGenericRfc, RFC_PUBLICO } from '~/core/rfc';
import { choqueOfFila, type Choque } from '~/core/choque';
import { NotAllowed, Stale } from '~/core/errors';
import { listFields } from '~/core/listFields';
import { rowOf } from '~/core/table';
import { record } from '~/platform/bitacora.server';
import { acceptEffect, LIVE_STATES, waitForEffect } from '~/platform/effects/effects.server';
import { effectsAbout } from '~/platform/effects/subjects.server';
import { contains, defineList } from '~/platform/lists/list.server';
import type { NewClientePac } from '~/integrations/facturacom/nouns';
import type { Db, Trx } from '~db/client.server';
import type { ClienteFiscalEditado } from './forms';
import { isPublicoGeneral, PUBLICO_GENERAL_FIJO } from '~/domain/facturacion/cfdi/nombreFiscal';
import { requireEmisor } from '~/domain/facturacion/cfdi/emisor.server';
import { precheckCliente } from '~/domain/facturacion/cfdi/precheck';
import { ORIGEN_LABEL, ORIGENES, type Origen } from './origen';
import { requireNoneEnCurso } from './receptor.server';
import { DOMICILIO } from './internal/domicilio';
import { savePacClient } from './internal/savePacClient.server';
import { documentosFijos, NOMBRADOS, type Documento } from '~/domain/ventas/ordenes/afectados';

const SORTS = ['fecha', 'rfc', 'razonSocial', 'cp', 'telefono'] as const;

/** The list of tax data of customers: records that staff saved, records brought from the PAC, and data that customers typed to be invoiced. */
export const datosFiscalesList = defineList({
  lista: 'datosFiscales',
  titulo: 'Datos Fiscales de Clientes',
  todas: 'Todos',
  filtro: z.object({ ...listFields(SORTS, '-fecha'), origen: z.enum(ORIGENES).optional().catch(undefined) }),
  id: 'clienteConocido.id',
  idsGrow: true,
  sorts: {
    fecha: sql.ref('clienteConocido.fechaCreacion'),
    rfc: sql`${sql.ref('clienteConocido.rfc')} collate "C"`,
    razonSocial: sql.ref('clienteConocido.razonSocial'),
    cp: sql`${sql.ref('clienteConocido.cp')} collate "C"`,
    telefono: sql.ref('clienteConocido.telefono'),
  },
  matches: (db, { q, origen }) =>
    db
      .selectFrom('clienteConocido')
      .$if(origen !== undefined, (clientes) => clientes.where('clienteConocido.origen', '=', sql.lit(origen!)))
      .$if(q !== '', (clientes) => clientes.where(contains('clienteConocido.busqueda', q))),
  rows: (db) =>
    db
      .selectFrom('clienteConocido')
      .select([
        'clienteConocido.id',
        'clienteConocido.origen',
        'clienteConocido.fechaCreacion',
        'clienteConocido.rfc',
        'clienteConocido.razonSocial',
        'clienteConocido.cp',
        'clienteConocido.telefono',
        'clienteConocido.regimen',
        'clienteConocido.emails',
      ])
      // The columns of a view are nullable to the type generator; these never are.
      .$castTo<{
        id: string;
        origen: Origen;
        fechaCreacion: Date;
        rfc: string;
        razonSocial: string;
        cp: string;
        telefono: string | null;
        regimen: string;
        emails: string[];
      }>(),
  totales: (clientes) =>
    clientes.select(({ fn }) =>
      fn.countAll<number>().filterWhere('clienteConocido.origen', '=', 'venta').as('porVenta'),
    ),
  excel: {
    hoja: 'Clientes',
    columnas: [
      { header: 'Fecha de creación', tipo: 'fechaHora', valor: (cliente) => cliente.fechaCreacion },
      { header: 'RFC', tipo: 'texto', ancho: 16, valor: (cliente) => cliente.rfc },
      { header: 'Razón Social', tipo: 'texto', ancho: 44, valor: (cliente) => cliente.razonSocial },
      { header: 'CP', tipo: 'texto', ancho: 8, valor: (cliente) => cliente.cp },
      { header: 'Régimen', tipo: 'texto', ancho: 10, valor: (cliente) => cliente.regimen },
      { header: 'Teléfono', tipo: 'texto', ancho: 14, valor: (cliente) => cliente.telefono },
      { header: 'Email', tipo: 'texto', ancho: 40, valor: (cliente) => cliente.emails.join(', ') },
      { header: 'Origen', tipo: 'texto', ancho: 12, valor: (cliente) => ORIGEN_LABEL[cliente.origen] },
    ],
  },
});

const WHOLE = [
  'id',
  'rfc',
  'razonSocial',
  'cp',
  'regimen',
  'usoCfdi',
  'emails',
  'telefono',
  ...DOMICILIO,
  'pais',
  'uid',
  'fechaCreacion',
  'actualizadoEn',
  'version',
] as const;

/** A record whole; undefined when there is none by that id. `guardando`: a correction is on its way to the PAC. `fijo`: nobody may correct it. */
export async function readClienteFiscal(db: Db, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const cliente = await db.selectFrom('clienteFiscal').select(WHOLE).where('id', '=', id).executeTakeFirst();
  return (
    cliente && {
      ...cliente,
      guardando: (await savingOf(db, cliente.uid)) !== undefined,
      fijo: isFijo(cliente),
    }
  );
}

const isFijo = ({ rfc, razonSocial }: { rfc: string; razonSocial: string }) =>
  rfc === RFC_PUBLICO && isPublicoGeneral(razonSocial);

export type ClienteFiscalWhole = NonNullable<Awaited<ReturnType<typeof readClienteFiscal>>>;

/** Tax data that a customer typed for a sale, with the facturas made out to them; undefined when there are none by that id. */
export async function readClientePorVenta(db: Db, id: string) {
  if (!z.uuid().safeParse(id).success) return undefined;
  const cliente = await db
    .selectFrom('clientePublico')
    .select(['id', 'uid', 'rfc', 'razonSocial', 'cp', 'regimen', 'creadoEn'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!cliente) return undefined;
  const facturas = await db
    .selectFrom('factura')
    .where(contains('factura.busqueda', cliente.rfc))
    .where('receptorUid', '=', cliente.uid)
    .select([
      'id',
      sql<string>`serie || '-' || folio`.as('folio'),
      'numOrden',
      'market',
      'fechaTimbrado',
      'estatus',
      'total',
    ])
    .orderBy('fechaTimbrado', 'desc')
    .limit(50)
    .execute();
  return { ...cliente, facturas };
}

export type ClientePorVenta = NonNullable<Awaited<ReturnType<typeof readClientePorVenta>>>;

/** Time the page waits for the PAC before it says that the save is still under way. */
const PATIENCE_MS = 4_000;

/**
 * Corrects a record for staff: the PAC's client first, by an effect, and our record once the PAC has it. Returns true when the PAC has it, false while
 * it has not answered. Throws Stale when the record moved since it was shown, and NotAllowed for what may not be saved or what the PAC refused, in its words.
 */
export async function correctClienteFiscal(db: Db, editado: ClienteFiscalEditado, usuarioId: string): Promise<boolean> {
  const emisor = await requireEmisor(db);
  const effectId = await db.transaction().execute(async (trx) => {
    const actual = await trx
      .selectFrom('clienteFiscal')
      .select(WHOLE)
      .where('id', '=', editado.id)
      .forUpdate()
      .executeTakeFirst();
    if (!actual) throw new NotAllowed('Error de actualización.', 'El cliente ya no existe.');
    if (actual.version !== editado.version) throw new Stale(choqueOfCliente(editado, actual));
    if (await savingOf(trx, actual.uid))
      throw new NotAllowed(
        'Error de actualización.',
        'Otra persona está guardando los datos de este cliente. Vuelve a cargarlo en un momento.',
      );
    requireSameIdentity(editado, actual);
    const cliente = clienteOf(editado, actual);
    const { errores } = precheckCliente(cliente, { lugarExpedicion: emisor.cp });
    if (errores[0]) throw new NotAllowed('Error de llenado.', errores[0].texto, { campo: errores[0].campo });
    await requireFreeName(trx, editado.id, cliente);
    await requireNoneEnCurso(trx, 'Error de actualización.', cliente, actual.uid);
    const { id, created } = await acceptEffect(trx, savePacClient, {
      request: { cliente, uid: actual.uid },
      usuarioId,
    });
    if (!created)
      throw new NotAllowed(
        'Error de actualización.',
        'Otra persona está guardando los datos de este cliente. Vuelve a cargarlo en un momento.',
      );
    await record(trx, {
      usuarioId,
      entidad: 'clienteFiscal',
      entidadId: editado.id,
      accion: 'corregir',
      datos: { campos: changedFields(cliente, actual) },
    });
    return id;
  });
  const effect = await waitForEffect(db, effectId, PATIENCE_MS);
  if (effect?.state === 'refused') throw new NotAllowed('Error', effect.reason ?? 'factura.com no aceptó los datos.');
  return effect?.state === 'done';
}

const ETIQUETAS = {
  razonSocial: 'Razón Social',
  cp: 'Código postal',
  regimen: 'Régimen fiscal',
  emails: 'Email',
  telefono: 'Telefono',
  nombre: 'Nombre',
  apellidos: 'Apellidos',
  calle: 'Calle',
  numeroExterior: 'Numero ext.',
  numeroInterior: 'Numero int.',
  colonia: 'Colonia',
  ciudad: 'Ciudad',
  delegacion: 'Delegacion',
  estado: 'Estado',
} as const;

function choqueOfCliente(editado: ClienteFiscalEditado, actual: Actual): Choque {
  const mio = clienteOf(editado, actual);
  return choqueOfFila(
    ETIQUETAS,
    { ...mio, emails: mio.emails.join(', ') },
    { ...actual, emails: actual.emails.join(', ') },
  );
}

/** Throws NotAllowed for a new name under a generic RFC, where the name is the identity, and for PUBLICO EN GENERAL, which nobody edits. */
function requireSameIdentity(
  { razonSocial }: ClienteFiscalEditado,
  actual: { rfc: string; razonSocial: string },
): void {
  if (isFijo(actual)) throw new NotAllowed('Error de actualización.', PUBLICO_GENERAL_FIJO);
  if (isGenericRfc(actual.rfc) && razonSocial !== actual.razonSocial)
    throw new NotAllowed(
      'Error de llenado.',
      `Con un RFC genérico el nombre es lo que distingue al cliente: «${razonSocial}» es otro, no una corrección de «${actual.razonSocial}». Dalo de alta al facturarle.`,
      { campo: 'razonSocial' },
    );
}

type Actual = Omit<ClienteFiscalWhole, 'guardando' | 'fijo'>;

function clienteOf(
  { id: _id, version: _version, email, email2, email3, municipio, ...datos }: ClienteFiscalEditado,
  { rfc, usoCfdi }: Actual,
): NewClientePac {
  return {
    ...datos,
    rfc,
    delegacion: municipio,
    emails: [email, email2, email3].filter((one) => one !== undefined),
    ...(usoCfdi && { usoCfdi }),
  };
}

/** Names of the fields that change. Values stay out of the bitacora: they are the customer's. */
function changedFields(cliente: NewClientePac, actual: Actual): string[] {
  return Object.entries(cliente)
    .filter(([name, value]) => String(rowOf(actual, name) ?? '') !== String(value))
    .map(([name]) => name);
}

/** The living effect that saves this client at the PAC, whoever asked for it. */
async function savingOf(db: Db | Trx, uid: string | null): Promise<{ id: string } | undefined> {
  if (uid === null) return undefined;
  return effectsAbout(db, ['cliente', uid])
    .select('id')
    .where('type', '=', savePacClient.type)
    .where('state', 'in', LIVE_STATES)
    .executeTakeFirst();
}

/** Throws NotAllowed when another record of the RFC has the name. */
async function requireFreeName(trx: Trx, id: string, { rfc, razonSocial }: NewClientePac): Promise<void> {
  const other = await trx
    .selectFrom('clienteFiscal')
    .select('id')
    .where('rfc', '=', rfc)
    .where('razonSocial', '=', razonSocial)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (other)
    throw new NotAllowed('Error de llenado.', 'Ese RFC ya tiene otro registro con esa Razón Social.', {
      campo: 'razonSocial',
    });
}

/** A sentence that names the documents which a correction of this client leaves as they are; null when nothing was stamped to it. */
export async function documentosOfCliente(
  db: Db | Trx,
  { rfc, uid }: { rfc: string; uid: string | null },
): Promise<string | null> {
  if (uid === null) return null;
  const { rows } = await sql<Documento & { total: number }>`
    select tipo, serie || '-' || folio as folio, count(*) over ()::int as total from factura
    where ${contains('factura.busqueda', rfc)} and rfc = ${rfc} and receptor_uid = ${uid} and estatus <> 'cancelada'
    order by fecha_timbrado desc, id limit ${NOMBRADOS}`.execute(db);
  const fijos = documentosFijos('Este cliente', rows, rows[0]?.total);
  return fijos && `${fijos} Las notas de crédito que se emitan después llevan los datos nuevos.`;
}

/** Returns the contact and the address of stored records, by their id. */
export async function domiciliosFiscales(db: Db, ids: readonly string[]) {
  const filas = await db
    .selectFrom('clienteFiscal')
    .select(['id', 'uid', ...DOMICILIO, 'pais'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(filas.map(({ id, ...domicilio }) => [id, domicilio]));
}
