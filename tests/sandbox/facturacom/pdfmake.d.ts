/** pdfmake 0.2 ships no types; this is the part the sandbox uses. */
declare module 'pdfmake' {
  export default class PdfPrinter {
    constructor(fonts: Record<string, { normal: string; bold: string; italics: string; bolditalics: string }>);
    createPdfKitDocument(definition: object): NodeJS.ReadableStream & { end(): void };
  }
}
