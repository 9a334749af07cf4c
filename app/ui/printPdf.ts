const MARCO = 'marco-de-impresion';

/** Prints a PDF of ours. A browser that does not print from a frame gets the PDF in a tab. `title` names the frame. */
export function printPdf(src: string, title: string): void {
  document.getElementById(MARCO)?.remove();
  const marco = Object.assign(document.createElement('iframe'), { id: MARCO, src, title });
  // A browser draws no PDF in a hidden frame: printing one without a box ends the page.
  marco.style.cssText =
    'position: fixed; inset: auto 0 0 auto; inline-size: 1px; block-size: 1px; border: 0; opacity: 0';
  marco.addEventListener('load', () => {
    try {
      marco.contentWindow!.print();
    } catch {
      window.open(src, '_blank');
    }
  });
  document.body.append(marco);
}
