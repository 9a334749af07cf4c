import type { FormatoDeApp } from '~db/columns';

/** The application for telephones that staff download: an APK is installed as it is, an AAB is what a shop takes. */
export type Formato = FormatoDeApp;

export type Aplicacion = {
  id: string;
  formato: Formato;
  /** What it calls itself: 'mx.tienda.app'. Each null where its manifest does not tell. */
  paquete: string | null;
  version: string | null;
  codigo: string | null;
  bytes: number;
  listaEn: Date;
  subidaPor: string;
};

/** What each is to whoever downloads it. */
export const TIPO_DE_APP = {
  apk: 'application/vnd.android.package-archive',
  aab: 'application/octet-stream',
} as const satisfies Record<Formato, string>;

export const MAX_MB = 200;
export const MAX_BYTES = MAX_MB * 1024 * 1024;
/** A piece as it is stored. */
export const PIEZA = 1024 * 1024;
/** What a browser sends at a time: after a lost network it goes on from there. */
export const ENVIO = 4 * PIEZA;
/** Older ones are removed. */
export const CONSERVA = 5;

export const SUBIDA = 'Se subió la app correctamente.';

/** '48.3 MB' */
export const enMB = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
