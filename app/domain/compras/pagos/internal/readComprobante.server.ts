import { Saturated } from '~/core/errors';
import { parseXmlAjeno } from '~/integrations/xml.server';
import { readPdf } from '~/platform/files/readFile.server';
import type { Recibido } from '~/platform/files/receiveFile.server';
import { UnexpectedShape } from '~/integrations/errors';
import { comprobanteOf, comprobanteOfCep, type Comprobante } from './comprobante';

/** Returns the facts that a receipt tells; null when nothing in it is understood. The file is kept all the same. */
export async function readComprobante({ tipo, contenido }: Recibido): Promise<Comprobante | null> {
  if (tipo === 'application/pdf') return dePdf(contenido);
  return tipo === 'application/xml' ? deXml(contenido) : null;
}

async function dePdf(contenido: Buffer): Promise<Comprobante | null> {
  try {
    const pdf = await readPdf(contenido);
    return pdf.tipo === 'leido' ? comprobanteOf(pdf.dice) : null;
  } catch (error) {
    // The readers are busy. The payment is kept without the facts of its paper.
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
