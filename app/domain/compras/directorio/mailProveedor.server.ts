import { z } from 'zod';
import { env } from '~/core/env.server';
import { NotAllowed } from '~/core/errors';
import { defineCarta } from '~/platform/effects/carta.server';
import { acceptEffect, isDoneSoon, type Accepted } from '~/platform/effects/effects.server';
import { isViva, numberedOf } from '~/domain/ventas/envios/envio';
import type { Db, Trx } from '~db/client.server';
import { destinatariosOf } from './proveedor';
import { readDirectorio } from './proveedores.server';

const TITULO = 'Error al enviar el correo.';

/**
 * Letter to a supplier about the shipment of a sale. One letter per sale and supplier is under way at a time. It is sent at least once, always with
 * the same Message-ID, and its text says that it may come twice: a supplier who reads it twice is better served than one who never heard of the
 * shipment.
 */
export const mailProveedor = defineCarta({
  type: 'proveedor.mail',
  label: 'Correo al proveedor',
  request: z.object({
    ordenId: z.string(),
    proveedor: z.string(),
    emails: z.array(z.string()).min(1),
    asunto: z.string(),
    texto: z.string(),
  }),
  key: ({ ordenId, proveedor }) => `orden:${ordenId}:${proveedor}`,
  subjects: ({ ordenId }) => [['orden', ordenId]],
  summary: ({ emails }) => ({ emails }),
  again: true,
  stillWanted: async (trx, { ordenId }) =>
    requireViva(
      await trx
        .selectFrom('orden')
        .select(['clase', 'estatus', 'situacion'])
        .where('id', '=', ordenId)
        .executeTakeFirstOrThrow(),
    ),
  write: ({ request: { emails, asunto, texto } }) => ({ to: emails, subject: asunto, text: texto }),
  noted: ({ ordenId, proveedor, emails }) => ({
    entidad: 'orden',
    entidadId: ordenId,
    accion: 'correo al proveedor',
    datos: { proveedor, destinatarios: emails.length },
  }),
});

function requireViva(orden: Parameters<typeof isViva>[0]): void {
  if (!isViva(orden))
    throw new NotAllowed(TITULO, 'La orden fue cancelada o devuelta: al proveedor no se le escribe por ella.');
}

/**
 * Accepts a letter to each supplier of a living sale. Returns the letter under way instead of a second one. Throws `NotAllowed` when the sale has no
 * shipment, was cancelled or returned, names no supplier that we know, or a supplier has no address.
 */
export async function sendProveedorMail(
  trx: Trx,
  ordenId: string,
  usuarioId: string,
  batchId: string | null = null,
): Promise<Accepted[]> {
  const orden = await trx
    .selectFrom('orden')
    .innerJoin('envio', 'envio.id', 'orden.envioId')
    .select([
      'orden.numOrden',
      'orden.clase',
      'orden.estatus',
      'orden.situacion',
      'envio.marketId as envio',
      'envio.paqueteria',
      'envio.guia',
      'envio.paqueteriaUrl',
      'envio.nombreReceptor',
      'envio.telefono',
      'envio.calle',
      'envio.numeroE',
      'envio.numeroI',
      'envio.colonia',
      'envio.cp',
      'envio.ciudad',
      'envio.municipio',
      'envio.estado',
      'envio.referencia',
    ])
    .where('orden.id', '=', ordenId)
    .executeTakeFirst();
  if (!orden) throw new NotAllowed(TITULO, 'La orden no tiene un envío.');
  requireViva(orden);
  const articulos = await trx
    .selectFrom('articulo')
    .select(['nombre', 'cantidad', 'modelo', 'proveedor'])
    .where('ordenId', '=', ordenId)
    .orderBy('posicion')
    .execute();
  const destinatarios = destinatariosOf(
    await readDirectorio(trx),
    articulos.map((articulo) => articulo.proveedor),
  );
  if (destinatarios.length === 0)
    throw new NotAllowed(TITULO, 'Los artículos de la orden no son de ningún proveedor del catálogo.');

  const accepted: Accepted[] = [];
  for (const { proveedor, label, emails } of destinatarios) {
    if (emails.length === 0) throw new NotAllowed(TITULO, `${label} no tiene agentes activos ni un correo.`);
    const suyos = articulos.filter((articulo) => articulo.proveedor?.toLowerCase() === proveedor);
    accepted.push(
      await acceptEffect(trx, mailProveedor, {
        request: {
          ordenId,
          proveedor,
          emails,
          asunto: `${conNumero('Envío', orden.envio)} de la orden ${orden.numOrden}`,
          texto: letter(orden, suyos),
        },
        usuarioId,
        batchId,
      }),
    );
  }
  return accepted;
}

/**
 * Writes to the suppliers of a sale for a person who waits at a page. Returns whether all letters have left by now. Throws as `sendProveedorMail`, and
 * NotAllowed with the words of a mail server that said no.
 */
export async function mailProveedores(db: Db, ordenId: string, usuarioId: string): Promise<boolean> {
  const cartas = await db.transaction().execute((trx) => sendProveedorMail(trx, ordenId, usuarioId));
  const left = await Promise.all(cartas.map(({ id }) => isDoneSoon(db, id, TITULO)));
  return left.every(Boolean);
}

/** The word for a shipment with its number. A shipment that only we know has none. */
const conNumero = (palabra: string, envio: string) => [palabra, numberedOf(envio)].filter(Boolean).join(' ');

type Envio = Record<'numOrden' | 'envio', string> &
  Record<
    | 'paqueteria'
    | 'guia'
    | 'paqueteriaUrl'
    | 'nombreReceptor'
    | 'telefono'
    | 'calle'
    | 'numeroE'
    | 'numeroI'
    | 'colonia'
    | 'cp'
    | 'ciudad'
    | 'municipio'
    | 'estado'
    | 'referencia',
    string | null
  >;

function letter(orden: Envio, articulos: { nombre: string; cantidad: number; modelo: string | null }[]): string {
  const line = (label: string, ...parts: (string | null)[]) => {
    const text = parts.filter((part) => part !== null && part !== '').join(' ');
    return text === '' ? [] : [`${label}: ${text}`];
  };
  const interior = orden.numeroI && orden.numeroI.toUpperCase() !== 'SN' ? `int. ${orden.numeroI}` : null;
  return [
    'Hola:',
    '',
    `Estos son los datos del ${conNumero('envío', orden.envio)} de nuestra orden ${orden.numOrden}.`,
    '',
    'Artículos:',
    ...articulos.map(({ nombre, cantidad, modelo }) => `- ${cantidad} x ${modelo ? `${modelo}: ` : ''}${nombre}`),
    '',
    'Envío:',
    ...line('Recibe', orden.nombreReceptor),
    ...line('Teléfono', orden.telefono),
    ...line(
      'Dirección',
      orden.calle,
      orden.numeroE && orden.numeroE.toUpperCase() !== 'SN' ? orden.numeroE : null,
      interior,
    ),
    ...line('Colonia', orden.colonia),
    ...line('C.P.', orden.cp),
    ...line('Ciudad', orden.ciudad ?? orden.municipio),
    ...line('Estado', orden.estado),
    ...line('Referencia', orden.referencia),
    ...line('Paquetería', orden.paqueteria),
    ...line('Guía', orden.guia),
    ...line('Rastreo', orden.paqueteriaUrl),
    '',
    'Si ya recibiste este mismo mensaje, no es un pedido nuevo.',
    '',
    env().MARCA,
  ].join('\n');
}
