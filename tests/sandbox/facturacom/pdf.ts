/** The printed CFDI, made when someone asks for it. Base fonts of PDF only: no font files. The libraries load with the first one. */
import type { Cfdi } from './state';

const MARK = 'SIN VALIDEZ FISCAL - SANDBOX';

type Print = (cfdi: Cfdi) => Promise<Buffer>;
let printer: Promise<Print> | undefined;

export async function pdfOf(cfdi: Cfdi): Promise<Buffer> {
  printer ??= loadPrinter();
  const print = await printer;
  return print(cfdi);
}

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
