import type { DraftDatosNota } from './forms';

/** A simple note: a sale outside the marketplaces on paper, without CFDI. Its texts are the agreed ones. */
export const NOTA = 'Nota sencilla';
export const SERIE_NOTA = 'N';
/** Days back that staff may date a nota. */
export const DIAS_ATRAS_NOTA = 100;

/** Step 2 before anything was typed. */
export const datosVacios = (): DraftDatosNota => ({
  cp: '',
  colonia: '',
  calle: '',
  numeroExterior: '',
  numeroInterior: '',
  ciudad: '',
  municipio: '',
  estado: '',
  nombre: '',
  apellidos: '',
  telefono: '',
  email: '',
  colonias: [],
  aviso: null,
  listos: false,
});

/** The steps of a nota. `lista`: the nota was made. */
export const PASOS_NOTA = ['1', '2', '3', 'lista'] as const;
export type PasoNota = (typeof PASOS_NOTA)[number];
export const PASO_NOTA_TITULO: Record<Exclude<PasoNota, 'lista'>, string> = {
  '1': 'Artículos',
  '2': 'Datos de la nota',
  '3': 'Revisar Datos',
};
