import PDFDocument from 'pdfkit';

type Sketch = {
  rfc: string;
  /** Of a natural person: name and surnames. */
  persona?: [nombres: string, primero: string, segundo?: string];
  razonSocial?: string;
  cp: string;
  /** As the SAT names them, with the day they ended if they did. */
  regimenes: { texto: string; fin?: string }[];
};

/** A Constancia de Situación Fiscal laid out as the SAT's: labels and values in two columns, long rows on two lines with their dates between. */
export function constanciaPdf({ rfc, persona, razonSocial, cp, regimenes }: Sketch): Promise<Buffer> {
  return pdfOf((doc) => {
    const at = (x: number, y: number, text: string) => doc.fontSize(9).text(text, x, y, { lineBreak: false });
    at(60, 40, 'CÉDULA DE IDENTIFICACIÓN FISCAL');
    at(320, 40, 'CONSTANCIA DE SITUACIÓN FISCAL');
    at(140, 70, rfc);
    at(140, 82, 'Registro Federal de Contribuyentes');
    at(140, 100, 'Nombre, denominación o razón social');
    at(140, 114, 'idCIF: 15060398465');
    at(320, 100, 'CUAUHTEMOC , CIUDAD DE MEXICO A 12 DE MARZO DE 2026');
    at(60, 180, 'Datos de Identificación del Contribuyente:');
    at(60, 200, 'RFC:');
    at(220, 200, rfc);
    if (persona) {
      at(60, 214, 'CURP:');
      at(220, 214, `${rfc.slice(0, 10)}MDFMCR09`);
      for (const [row, label] of ['Nombre (s):', 'Primer Apellido:', 'Segundo Apellido:'].entries()) {
        at(60, 228 + row * 14, label);
        if (persona[row]) at(220, 228 + row * 14, persona[row]);
      }
    } else {
      at(60, 214, 'Denominación/Razón Social:');
      at(220, 214, razonSocial ?? '');
      at(60, 228, 'Régimen Capital:');
      at(220, 228, 'SOCIEDAD ANONIMA DE CAPITAL VARIABLE');
    }
    at(60, 290, 'Nombre Comercial:');
    at(60, 320, 'Datos del domicilio registrado');
    at(60, 340, `Código Postal:${cp}`);
    at(320, 340, 'Tipo de Vialidad: AVENIDA');
    at(60, 354, 'Nombre de Vialidad: INSURGENTES SUR');
    at(320, 354, 'Número Exterior: 1458');
    doc.addPage();
    at(60, 40, 'Actividades Económicas:');
    at(60, 56, '1');
    at(90, 56, 'Comercio al por menor por Internet');
    at(320, 56, '100');
    at(360, 56, '01/01/2020');
    at(60, 90, 'Regímenes:');
    at(60, 106, 'Régimen');
    at(360, 106, 'Fecha Inicio');
    at(440, 106, 'Fecha Fin');
    let y = 122;
    for (const { texto, fin } of regimenes) {
      const half = texto.length > 60 ? texto.lastIndexOf(' ', 55) : texto.length;
      at(60, y, texto.slice(0, half));
      if (half < texto.length) at(60, y + 12, texto.slice(half + 1));
      const middle = half < texto.length ? y + 6 : y;
      at(360, middle, '01/01/2020');
      if (fin) at(440, middle, fin);
      y += 30;
    }
    at(60, y + 10, 'Obligaciones:');
    at(60, y + 26, 'Entero de retenciones de ISR por sueldos y salarios');
    at(60, y + 40, 'Sus datos personales son incorporados y protegidos en los sistemas del SAT');
  });
}

export function pdfOf(draw: (doc: PDFKit.PDFDocument) => void): Promise<Buffer> {
  return new Promise((resolve) => {
    const doc = new PDFDocument({ size: 'LETTER', margin: 0 });
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)));
    draw(doc);
    doc.end();
  });
}

/** One page whose content is this, as it stands in the file: packed, if it says so. */
export function pdfWithContent(content: Buffer, filter?: 'FlateDecode'): Buffer {
  return pdfOfObjects([...page('/Font << /F1 5 0 R >>'), stream('', content, filter), Buffer.from(FONT)]);
}

/** A page of a few lines that says itself ten times over, ten levels deep. */
export function pdfOfEchoes(levels = 10): Buffer {
  const form = (level: number) => {
    const inner = level === levels ? 'BT /F1 9 Tf (a) Tj ET' : `/X${level + 1} Do `.repeat(10);
    const names = level === levels ? '/Font << /F1 5 0 R >>' : `/XObject << /X${level + 1} ${6 + level} 0 R >>`;
    return stream(`/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << ${names} >>`, Buffer.from(inner));
  };
  return pdfOfObjects([
    ...page('/XObject << /X1 6 0 R >>'),
    stream('', Buffer.from('/X1 Do')),
    Buffer.from(FONT),
    ...Array.from({ length: levels }, (_, at) => form(at + 1)),
  ]);
}

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

const page = (resources: string) =>
  [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << ${resources} >> >>`,
  ].map((text) => Buffer.from(text));

const stream = (says: string, content: Buffer, filter?: string) =>
  Buffer.concat([
    Buffer.from(`<< ${says} /Length ${content.length}${filter ? ` /Filter /${filter}` : ''} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);

function pdfOfObjects(objects: Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  for (const [at, object] of objects.entries())
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
  parts.push(Buffer.from(`trailer << /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF`));
  return Buffer.concat(parts);
}
