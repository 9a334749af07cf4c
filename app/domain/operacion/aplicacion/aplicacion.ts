import type { FormatoDeApp } from '~db/columns';

/** The application for telephones that staff download: an APK is installed as it is, an AAB is what a shop takes. */
export type Formato = FormatoDeApp;

export type Aplicacion = {
  id: string;
  formato: Formato;
  /** Name of the application, as 'mx.tienda.app'. Null, like the fields beside it, when the manifest does not tell. */
  paquete: string | null;
  version: string | null;
  codigo: string | null;
  bytes: number;
  listaEn: Date;
  subidaPor: string;
};

/** Media type of each kind of application, for its download. */
export const TIPO_DE_APP = {
  apk: 'application/vnd.android.package-archive',
  aab: 'application/octet-stream',
} as const satisfies Record<Formato, string>;

/** Most MB of an application. */
export const MAX_MB = 200;
export const MAX_BYTES = MAX_MB * 1024 * 1024;
/** Bytes of a stored piece. */
export const PIEZA = 1024 * 1024;
/** Bytes that a browser sends at a time; after a lost network the upload goes on from the last part. */
export const ENVIO = 4 * PIEZA;
/** Applications that are kept; older ones are removed. */
export const CONSERVA = 5;

export const SUBIDA = 'Se subió la app correctamente.';

/** '48.3 MB' */
export const enMB = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
