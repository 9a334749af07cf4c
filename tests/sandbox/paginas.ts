/** Returns a PDF of small pages with lines of plain letters. The same lines give the same bytes. */
export function pdfOf(pages: readonly (readonly string[])[]): Buffer {
  const objects: string[] = [];
  const kids = pages.map((_, n) => `${3 + n * 3} 0 R`).join(' ');
  objects.push('<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  pages.forEach((lines, n) => {
    const own = 3 + n * 3;
    const [first = '', ...rest] = lines.map(ascii);
    const text = `BT /F1 18 Tf 40 360 Td (${first}) Tj${rest.map((line) => ` 0 -24 Td (${line}) Tj`).join('')} ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents ${own + 1} 0 R /Resources << /Font << /F1 ${own + 2} 0 R >> >> >>`,
      `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    );
  });
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, n) => {
    const at = body.length;
    body += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}

const ascii = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/[()\\]/g, '');
