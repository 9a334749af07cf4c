import { Saturated } from '~/core/errors';
import { parseXmlAjeno } from '~/integrations/xml.server';
import { readPdf } from '~/platform/files/readFile.server';
import type { Recibido } from '~/platform/files/receiveFile.server';
import { UnexpectedShape } from '~/integrations/errors';
import { comprobanteOf, comprobanteOfCep, type Comprobante } from './comprobante';

/** What a paper says of its payment; null where it says nothing that is understood. It is kept all the same. */
export async function readComprobante({ tipo, contenido }: Recibido): Promise<Comprobante | null> {
  if (tipo === 'application/pdf') return dePdf(contenido);
  return tipo === 'application/xml' ? deXml(contenido) : null;
}

async function dePdf(contenido: Buffer): Promise<Comprobante | null> {
  try {
    const pdf = await readPdf(contenido);
    return pdf.tipo === 'leido' ? comprobanteOf(pdf.dice) : null;
  } catch (error) {
    // Many are being read: a payment is kept without what its paper says.
    if (error instanceof Saturated) return null;
    throw error;
  }
}

function deXml(contenido: Buffer): Comprobante | null {
  try {
    const root = parseXmlAjeno(contenido).documentElement;
    if (root?.localName !== 'SPEI_Tercero') return null;
    return comprobanteOfCep((elemento, atributo) => {
      const nodo = elemento === root.localName ? root : root.getElementsByTagName(elemento)[0];
      return nodo?.getAttribute(atributo) ?? '';
    });
  } catch (error) {
    if (error instanceof UnexpectedShape) return null;
    throw error;
  }
}
