import { z } from 'zod';
import { Money } from '~/core/money';
import { UnexpectedShape } from '../errors';
import { isJson, type Json } from './envelope';
import type { CfdiPac, ClientePac, CuentaPac, SeriePac } from './nouns';

/** A text of factura.com, which arrives as text, number or null. Readers here are lenient about spelling and strict about the fields we need. */
const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? '' : String(value).trim()));
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const uid = text.pipe(z.string().min(1));

/** A body whose fields are read whatever their case: `UID`, `uid` and `Uid` were all seen. */
function anyCase<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((body) => {
    if (!isJson(body)) return body;
    const named = Object.keys(shape).map((name) => [name, fieldOf(body, name)] as const);
    return Object.fromEntries(named.filter(([, value]) => value !== undefined));
  }, z.object(shape));
}

function fieldOf(body: Json, name: string): unknown {
  if (Object.hasOwn(body, name)) return body[name];
  const other = Object.keys(body).find((key) => key.toLowerCase() === name.toLowerCase());
  return other === undefined ? undefined : body[other];
}

const Contacto = anyCase({ Nombre: text, Apellidos: text, Email: text, Email2: text, Email3: text, Telefono: text });

const Cliente = anyCase({
  UID: uid,
  RazonSocial: text,
  RFC: z.string().min(1),
  RegimenId: text,
  CodigoPostal: text,
  // Two reads of the documentation misspell it.
  CodigoPosal: text,
  UsoCFDI: text,
  Calle: text,
  Numero: text,
  Interior: text,
  Colonia: text,
  Ciudad: text,
  Delegacion: text,
  Estado: text,
  Pais: text,
  Contacto: Contacto.nullish(),
});

/** A client of the PAC from an answer. Throws UnexpectedShape. */
export function clienteOf(body: unknown): ClientePac {
  const read = parse('cliente', Cliente, body);
  const contacto = read.Contacto;
  return {
    uid: read.UID,
    rfc: read.RFC,
    razonSocial: read.RazonSocial,
    cp: read.CodigoPostal || read.CodigoPosal,
    regimen: /^\d{3}$/.test(read.RegimenId) ? read.RegimenId : '',
    usoCfdi: read.UsoCFDI,
    emails: [contacto?.Email, contacto?.Email2, contacto?.Email3].filter((email): email is string => Boolean(email)),
    telefono: contacto?.Telefono ?? '',
    nombre: contacto?.Nombre ?? '',
    apellidos: contacto?.Apellidos ?? '',
    calle: read.Calle,
    numeroExterior: read.Numero,
    numeroInterior: read.Interior,
    colonia: read.Colonia,
    ciudad: read.Ciudad,
    delegacion: read.Delegacion,
    estado: read.Estado,
    pais: read.Pais,
  };
}

const Cuenta = anyCase({
  uid: text,
  razon_social: text,
  rfc: z.string().min(1),
  regimen_fiscal: text,
  codpos: text,
  email: text,
});

/** The account's company from an answer. Throws UnexpectedShape. */
export function cuentaOf(body: unknown): CuentaPac {
  const read = parse('cuenta', Cuenta, body);
  return {
    uid: read.uid,
    razonSocial: read.razon_social,
    rfc: read.rfc,
    regimen: read.regimen_fiscal,
    cp: read.codpos,
    email: read.email,
  };
}

const Serie = anyCase({
  SerieID: z.coerce.number().int(),
  SerieName: text,
  SerieType: text,
  SerieDescription: text,
  SerieStatus: text,
});

/** A series of the account from an answer. Throws UnexpectedShape. */
export function serieOf(body: unknown): SeriePac {
  const read = parse('serie', Serie, body);
  return {
    id: read.SerieID,
    letra: read.SerieName,
    tipo: read.SerieType,
    descripcion: read.SerieDescription,
    activa: /^activ/i.test(read.SerieStatus),
  };
}

const Cfdi = anyCase({
  UID: uid,
  UUID: text,
  Folio: text,
  Receptor: text,
  RazonSocialReceptor: text,
  Total: text,
  NumOrder: text,
  Status: text,
  FechaTimbrado: text,
});

/** The CFDI of a row of a list; undefined for drafts and failed documents, which have no UUID. Throws UnexpectedShape. */
export function cfdiOf(body: unknown): CfdiPac | undefined {
  return rowOf(body).cfdi;
}

/** The order number of a row, with its CFDI when it is one. Throws UnexpectedShape. */
export function rowOf(body: unknown): { numOrder: string; cfdi: CfdiPac | undefined } {
  const read = parse('CFDI', Cfdi, body);
  if (!isUuid(read.UUID)) return { numOrder: read.NumOrder, cfdi: undefined };
  const cfdi = {
    uid: read.UID,
    uuid: read.UUID.toUpperCase(),
    ...folioOf(read.Folio),
    rfc: read.Receptor,
    razonSocial: read.RazonSocialReceptor,
    total: totalOf(read.Total),
    numOrder: read.NumOrder,
    cancelada: /^cancelad/i.test(read.Status),
    fechaTimbrado: read.FechaTimbrado,
  };
  return { numOrder: read.NumOrder, cfdi };
}

function totalOf(total: string): string {
  if (!/^\d+(\.\d+)?$/.test(total)) throw new UnexpectedShape('factura.com: el total de un CFDI no es un número');
  return Money.of(total).toFixed(2);
}

/** Series and number of a folio: 'F 160', 'F-160' or 'F160'. A text without number has `folio` null. */
export function folioOf(text: string): { serie: string; folio: number | null } {
  const folio = /\d{1,9}$/.exec(text.slice(0, 60));
  if (!folio) return { serie: text, folio: null };
  return { serie: folio.input.slice(0, folio.index).replace(/(?<![\s-])[\s-]+$/, ''), folio: Number(folio[0]) };
}

/** Whether a value is a UUID. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** The first field among `names` whose value fits, at the root or inside `data`, `Data` or `SAT`. */
export function pick(body: Json, names: string[], fits: (value: unknown) => value is string): string | undefined {
  const places = [body, body.data, body.Data, body.SAT].filter(isJson);
  for (const place of places)
    for (const name of names) {
      const value = fieldOf(place, name);
      if (fits(value)) return value;
    }
  return undefined;
}

const number = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.number().int().min(0));
const ListPage = z.object({
  last_page: number,
  total: number.nullish(),
  current_page: number.nullish(),
  data: z.array(z.unknown()),
});
export type ListPage = z.infer<typeof ListPage>;

/** A page of a list is its rows and the number of its last page, whether or not a word of success stands before them. */
export const listPageOf = (body: Json): ListPage | undefined => ListPage.safeParse(body).data;

/** A row of the old list, of which only the order number and the id are known. */
const OldRow = anyCase({ UID: uid, NumOrder: text });
export const oldRowOf = (body: unknown): { uid: string; numOrder: string } | undefined => {
  const read = OldRow.safeParse(body).data;
  return read && { uid: read.UID, numOrder: read.NumOrder };
};

/** The single thing of an answer: under `Data` or `data`, or the root itself. */
export function oneOf(body: Json): unknown {
  const inner = body.Data ?? body.data;
  // The documentation shows a one-element list with UID beside it.
  if (Array.isArray(inner)) return isJson(inner[0]) ? { UID: fieldOf(body, 'UID'), ...inner[0] } : inner[0];
  return inner ?? body;
}

/** The list of an answer, under `Data` or `data`. Throws UnexpectedShape when there is none. */
export function manyOf(body: Json): unknown[] {
  const inner = body.Data ?? body.data;
  if (Array.isArray(inner)) return inner;
  if (isJson(inner)) return [inner];
  throw new UnexpectedShape('factura.com: se esperaba una lista');
}

/** Parses an answer. Throws UnexpectedShape with the names of the wrong fields. */
export function parse<T>(what: string, schema: z.ZodType<T, unknown>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  // The message has names of fields only: values may be a customer's.
  throw new UnexpectedShape(
    `factura.com: no se entiende ${what} (${read.error.issues.map((issue) => issue.path.join('.')).join(', ')})`,
  );
}
