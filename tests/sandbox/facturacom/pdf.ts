/** The printed CFDI, with base fonts of PDF only. The libraries load with the first one that is printed. */
import type { Cfdi } from './state';

const MARK = 'SIN VALIDEZ FISCAL - SANDBOX';

export type Print = (cfdi: Cfdi) => Promise<Buffer>;
let printer: Promise<Print> | undefined;

export const printed: Print = async (cfdi) => (await (printer ??= loadPrinter()))(cfdi);

/** A PDF with three lines, for tests that stamp thousands and read none. A printed CFDI costs more than its stamp. */
export const jotted: Print = (cfdi) => {
  const lines = [MARK, `${cfdi.serie}-${cfdi.folio}   ${cfdi.rfc}   $ ${cfdi.total}`, cfdi.uuid];
  const stream = `BT /F1 12 Tf 14 TL 40 740 Td ${lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join(' ')} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const head = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const tail = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Promise.resolve(Buffer.from(text + head + tail, 'latin1'));
};

async function loadPrinter(): Promise<Print> {
  const [
    { CfdiData, GenericCfdiTranslator, installPdfMake, PdfMakerBuilder },
    { XmlNodeUtils, install },
    { DOMImplementation, DOMParser, XMLSerializer },
    { default: PdfPrinter },
  ] = await Promise.all([
    import('@nodecfdi/cfdi-to-pdf'),
    import('@nodecfdi/cfdiutils-common'),
    import('@xmldom/xmldom'),
    import('pdfmake'),
  ]);

  class MarkedTranslator extends GenericCfdiTranslator {
    override translate(...args: Parameters<InstanceType<typeof GenericCfdiTranslator>['translate']>) {
      return {
        ...super.translate(...args),
        watermark: { text: MARK, color: '#b00020', opacity: 0.18, bold: true },
        info: { title: `CFDI de sandbox, ${MARK}` },
      };
    }
  }

  // The install typings ask for the browser's DOM; xmldom is what the package itself documents for Node.
  install(
    ...([new DOMParser(), new XMLSerializer(), new DOMImplementation()] as unknown as Parameters<typeof install>),
  );
  installPdfMake(
    new PdfPrinter({
      Roboto: {
        normal: 'Helvetica',
        bold: 'Helvetica-Bold',
        italics: 'Helvetica-Oblique',
        bolditalics: 'Helvetica-BoldOblique',
      },
    }) as Parameters<typeof installPdfMake>[0],
  );
  const builder = new PdfMakerBuilder(new MarkedTranslator());

  return async (cfdi) => {
    const notes = [
      { title: 'Aviso', value: MARK },
      ...(cfdi.comentarios ? [{ title: 'Comentarios', value: cfdi.comentarios }] : []),
    ];
    const data = new CfdiData(XmlNodeUtils.nodeFromXmlString(cfdi.xml), null, null, undefined, undefined, notes);
    const base64 = await builder.buildBase64(data);
    return Buffer.from(base64.replace(/^data:[^,]*,/, ''), 'base64');
  };
}
