/** Longer side of the picture to send, in px: text of a label stays readable. */
const LADO = 1_600;
const CALIDAD = 0.82;

/** Returns the photograph small and upright, as a JPEG without metadata; undefined when the file is no picture. */
export async function shrink(file: Blob): Promise<Blob | undefined> {
  const imagen = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined);
  if (!imagen) return undefined;
  const escala = Math.min(1, LADO / Math.max(imagen.width, imagen.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(imagen.width * escala));
  canvas.height = Math.max(1, Math.round(imagen.height * escala));
  canvas.getContext('2d')!.drawImage(imagen, 0, 0, canvas.width, canvas.height);
  imagen.close();
  return (await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', CALIDAD))) ?? undefined;
}
