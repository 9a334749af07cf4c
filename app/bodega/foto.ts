/** The longer side of what is sent: a label in the picture can still be read. */
const LADO = 1_600;
const CALIDAD = 0.82;

/** A photograph made small and upright, with nothing but its picture. Undefined where the file is none. */
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
