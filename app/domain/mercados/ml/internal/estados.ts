import { tableOf } from '~/core/table';

const ESTADOS: Record<string, string> = tableOf({
  AGU: 'Aguascalientes',
  BCN: 'Baja California',
  BCS: 'Baja California Sur',
  CAM: 'Campeche',
  CHH: 'Chihuahua',
  CHP: 'Chiapas',
  CMX: 'Ciudad de México',
  COA: 'Coahuila',
  COL: 'Colima',
  DIF: 'Ciudad de México',
  DUR: 'Durango',
  GRO: 'Guerrero',
  GUA: 'Guanajuato',
  HID: 'Hidalgo',
  JAL: 'Jalisco',
  MEX: 'Estado de México',
  MIC: 'Michoacán',
  MOR: 'Morelos',
  NAY: 'Nayarit',
  NLE: 'Nuevo León',
  OAX: 'Oaxaca',
  PUE: 'Puebla',
  QUE: 'Querétaro',
  ROO: 'Quintana Roo',
  SIN: 'Sinaloa',
  SLP: 'San Luis Potosí',
  SON: 'Sonora',
  TAB: 'Tabasco',
  TAM: 'Tamaulipas',
  TLA: 'Tlaxcala',
  VER: 'Veracruz',
  YUC: 'Yucatán',
  ZAC: 'Zacatecas',
});

/** Returns the name of a state for Mercado Libre's code ('MX-GUA'). A text that is no code is returned as it came. */
export function estadoOf(escrito: string): string {
  const codigo = escrito.replace(/^MX-/, '');
  return Object.hasOwn(ESTADOS, codigo) ? ESTADOS[codigo]! : escrito;
}
