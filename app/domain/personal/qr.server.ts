import QRCode from 'qrcode';

/** Returns a QR code as one path of unit squares, and the number of squares of a side. The caller leaves a margin of four. */
export function qrOf(text: string): { lado: number; path: string } {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const cells = Array.from({ length: modules.size ** 2 }, (_, at) => at).filter((at) => modules.data[at]);
  const path = cells.map((at) => `M${at % modules.size} ${Math.floor(at / modules.size)}h1v1h-1z`).join('');
  return { lado: modules.size, path };
}
