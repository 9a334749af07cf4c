import QRCode from 'qrcode';

/** A QR code as one path of unit squares, and how many of them a side has; who draws it leaves four of margin. */
export function qrOf(text: string): { lado: number; path: string } {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const cells = Array.from({ length: modules.size ** 2 }, (_, at) => at).filter((at) => modules.data[at]);
  const path = cells.map((at) => `M${at % modules.size} ${Math.floor(at / modules.size)}h1v1h-1z`).join('');
  return { lado: modules.size, path };
}
