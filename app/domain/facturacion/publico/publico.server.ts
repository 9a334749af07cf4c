import { Money } from '~/core/money';
import { CompanyFault, NotAllowed } from '~/core/errors';
import { usoPropuesto, usosFor } from '~/domain/facturacion/sat/opciones';
import { effectView } from '~/platform/effects/effects.server';
import type { Db } from '~db/client.server';
import type { Articulo } from '~/domain/facturacion/cfdi/articulos';
import { maskEmail } from './internal/maskEmail';
import { clienteVacio, type DraftCliente, marcasOf } from '~/domain/facturacion/emision/draft';
import { findDraftOfEnlace, proposeArticulos, type FacturaDraft } from '~/domain/facturacion/emision/draft.server';
import { estadoOf, horaOf, totalesOf, type EstadoFactura } from '~/domain/facturacion/emision/draftSteps.server';
import { correccionOfCliente, type CorreccionCliente } from '~/domain/facturacion/cancelacion/correcciones.server';
import type { Enlace } from '~/domain/facturacion/enlaces/enlaces.server';
import type { OrdenFacturable } from '~/domain/facturacion/cfdi/facturables.server';
import { requireNoneUnadopted } from '~/domain/facturacion/cfdi/adopcion.server';
import { precheckCliente, type Aviso } from '~/domain/facturacion/cfdi/precheck';
import { FALLA_DE_EMPRESA, isOfCliente } from './internal/deEmpresa';
import { tellStaff } from './internal/fallaDeEmpresa.server';
import { ordenesOfEnlace, otherDocument, SIN_DRAFT, type OtroDocumento } from './publicoDraft.server';
import { mostradoPublico } from './internal/publicoVisto';

/** The receiver as a customer may see it: without the PAC's id, telephone, address, or an e-mail that they did not type themselves. */
export type ClientePublico = {
  modo: DraftCliente['modo'];
  rfc: string;
  razonSocial: string;
  cp: string;
  regimen: string;
  email: string;
  email2: string;
  /** E-mail addresses on record, masked; null when there are none or the customer typed their own. */
  registrado: string | null;
  opciones: { razonSocial: string; cp: string }[];
  /** Whether the values come from a record, and nobody typed them here. */
  encontrado: boolean;
};

/** The outcome of a factura as its customer reads it. */
export type EstadoPublico =
  | {
      tipo: 'lista';
      folio: string;
      uuid: string;
      total: string;
      cancelada: boolean;
      /** Folio of the factura that this one corrected. */
      sustituye: string | null;
      /** Corrections left to the customer; null when the factura does not stand. */
      correccion: CorreccionPublica | null;
    }
  | { tipo: 'proceso'; desde: string }
  | { tipo: 'manual' }
  | { tipo: 'rechazada'; texto: string; detalle: string | null; paso: '1' | '2' | null };

/** The corrections left to a customer, with the marks for the form. */
export type CorreccionPublica = Pick<CorreccionCliente, 'quedan' | 'hasta' | 'impedimento'> & {
  /** The marks for the form: the version and contents that the page shows. */
  visto: { version: number; mostrado: string };
};

type Articulos = Pick<Articulo, 'nombre' | 'cantidad' | 'precioUnitario' | 'importe'>[];

/** Everything that the page of a link shows. */
export type VistaPublica =
  /** The sale cannot be invoiced; the text says why. */
  | { tipo: 'aviso'; texto: string }
  /** Another document covers the sale, or is being made. */
  | ({ tipo: 'ajena' } & OtroDocumento)
  | { tipo: 'resultado'; estado: EstadoPublico }
  | {
      tipo: 'paso';
      paso: '1' | '2';
      version: number;
      /** The marks for the forms: the version and contents that the page shows. */
      visto: { version: number; mostrado: string };
      siguiente: boolean;
      /** Folio of the factura that is being corrected. */
      sustituye: string | null;
      total: string;
      cliente: ClientePublico;
      advertencias: Aviso[];
      guardando: boolean;
      guardandoDesde: string | null;
      errorCliente: string | null;
      revision: {
        articulos: Articulos;
        totales: { subTotal: string; iva: string; total: string };
        usoCfdi: string;
      } | null;
    };

/** The page of a link. */
export type PaginaPublica = { numOrden: string; vista: VistaPublica };

/**
 * Reads the page of a link. The draft exists from the customer's first save on. A page that says the company has to mend something also
 * leaves the note by which staff learn of it.
 */
export async function readPublico(
  db: Db,
  enlace: Enlace,
  wanted: string | null,
  now = new Date(),
): Promise<PaginaPublica> {
  return { numOrden: enlace.numOrden, vista: await vistaOf(db, enlace, wanted, now) };
}

async function vistaOf(db: Db, enlace: Enlace, wanted: string | null, now: Date): Promise<VistaPublica> {
  const draft = await findDraftOfEnlace(db, enlace.id);
  if (draft?.effectId) return { tipo: 'resultado', estado: await resultadoOf(db, draft, draft.effectId, now) };
  try {
    const ordenes = await ordenesOfEnlace(db, enlace);
    const other = await otherDocument(db, ordenes, draft);
    if (other) return { tipo: 'ajena', ...other };
    // The check comes before anything is typed, so nobody fills in a form that cannot be stamped.
    await requireNoneUnadopted(db, 'Facturación', enlace.numOrden);
    return await pasoOf(db, ordenes, draft, wanted);
  } catch (error) {
    if (error instanceof CompanyFault) {
      await tellStaff(db, enlace, error);
      return { tipo: 'aviso', texto: FALLA_DE_EMPRESA };
    }
    if (error instanceof NotAllowed) return { tipo: 'aviso', texto: error.message };
    throw error;
  }
}

async function pasoOf(
  db: Db,
  ordenes: OrdenFacturable[],
  draft: FacturaDraft | undefined,
  wanted: string | null,
): Promise<VistaPublica> {
  const cliente = draft?.cliente ?? clienteVacio();
  const saving = cliente.guardando ? await effectView(db, cliente.guardando) : undefined;
  const siguiente = isReady(cliente);
  const paso = siguiente && wanted === '2' ? '2' : '1';
  const version = draft?.version ?? SIN_DRAFT;
  const pagado = Money.sum(ordenes.map(({ pagadoAbs }) => pagadoAbs));
  const articulos = paso === '2' ? await proposeArticulos(db, ordenes) : undefined;
  return {
    tipo: 'paso',
    paso,
    version,
    visto: marcasOf(version, mostradoPublico(cliente, articulos && { articulos, pagado })),
    siguiente,
    sustituye: draft?.sustituyeId ? await folioOf(db, draft.sustituyeId) : null,
    total: pagado.toString(),
    cliente: showCliente(cliente),
    advertencias:
      cliente.rfc === '' || cliente.razonSocial === ''
        ? []
        : precheckCliente(cliente, { lugarExpedicion: cliente.cp }).advertencias,
    guardando: saving !== undefined && ['queued', 'sending', 'unknown', 'manual'].includes(saving.state),
    guardandoDesde: saving ? horaOf(saving) : null,
    errorCliente: saving?.state === 'refused' ? saving.reason : null,
    revision: articulos ? revisionOf(cliente, articulos) : null,
  };
}

/** Tells whether the second step is open: the PAC has the receiver, and its regime is known. */
function isReady(cliente: DraftCliente | null): boolean {
  return cliente?.modo === 'lectura' && cliente.uid !== null && cliente.regimen !== '';
}

function showCliente(cliente: DraftCliente): ClientePublico {
  const { modo, rfc, razonSocial, cp, regimen, emails, correoRegistrado, opciones, origen } = cliente;
  const [email = '', email2 = ''] = correoRegistrado ? [] : emails;
  return {
    modo,
    rfc,
    razonSocial,
    cp,
    regimen,
    email,
    email2,
    encontrado: origen === 'registro',
    registrado: correoRegistrado ? emails.map(maskEmail).join(', ') : null,
    opciones: opciones.map((opcion) => ({ razonSocial: opcion.razonSocial, cp: opcion.cp })),
  };
}

function revisionOf(cliente: DraftCliente, articulos: Articulo[]) {
  const usos = usosFor(cliente.rfc, cliente.regimen).map(({ id }) => id);
  return {
    articulos: articulos.map(({ nombre, cantidad, precioUnitario, importe }) => ({
      nombre,
      cantidad,
      precioUnitario,
      importe,
    })),
    totales: totalesOf(articulos),
    usoCfdi:
      cliente.usoCfdi !== null && usos.includes(cliente.usoCfdi)
        ? cliente.usoCfdi
        : usoPropuesto(cliente.rfc, cliente.regimen),
  };
}

async function resultadoOf(db: Db, draft: FacturaDraft, effectId: string, now: Date): Promise<EstadoPublico> {
  const estado: EstadoFactura = await estadoOf(db, effectId);
  switch (estado.tipo) {
    case 'lista': {
      const { estatus, sustituyeId } = await db
        .selectFrom('factura')
        .select(['estatus', 'sustituyeId'])
        .where('id', '=', estado.facturaId)
        .executeTakeFirstOrThrow();
      return {
        tipo: 'lista',
        folio: estado.folio,
        uuid: estado.uuid,
        total: estado.total,
        cancelada: estatus === 'cancelada',
        sustituye: sustituyeId === null ? null : await folioOf(db, sustituyeId),
        correccion: estatus === 'vigente' ? await correccionOf(db, draft, estado.facturaId, now) : null,
      };
    }
    case 'proceso':
      return { tipo: 'proceso', desde: estado.desde };
    case 'manual':
      return { tipo: 'manual' };
    case 'rechazada':
      return isOfCliente(estado.campo)
        ? { tipo: 'rechazada', texto: estado.texto, detalle: estado.detalle, paso: estado.paso === '2' ? '1' : '2' }
        : { tipo: 'rechazada', texto: FALLA_DE_EMPRESA, detalle: null, paso: null };
  }
}

async function correccionOf(
  db: Db,
  { version, cliente }: FacturaDraft,
  facturaId: string,
  now: Date,
): Promise<CorreccionPublica> {
  const { quedan, hasta, impedimento } = await correccionOfCliente(db, facturaId, now);
  return { quedan, hasta, impedimento, visto: marcasOf(version, mostradoPublico(cliente)) };
}

async function folioOf(db: Db, facturaId: string): Promise<string> {
  const { serie, folio } = await db
    .selectFrom('factura')
    .select(['serie', 'folio'])
    .where('id', '=', facturaId)
    .executeTakeFirstOrThrow();
  return `${serie}-${folio}`;
}

/**
 * The id of the stamped factura that this link made, also while it is being corrected; undefined when there is none. A factura of another
 * link is not for this customer.
 */
export async function findFacturaOfEnlace(db: Db, enlace: Enlace): Promise<string | undefined> {
  const row = await db
    .selectFrom('facturaDraft')
    .leftJoin('factura', 'factura.effectId', 'facturaDraft.effectId')
    .select((eb) => eb.fn.coalesce('factura.id', 'facturaDraft.sustituyeId').as('id'))
    .where('facturaDraft.enlaceId', '=', enlace.id)
    .executeTakeFirst();
  return row?.id ?? undefined;
}
