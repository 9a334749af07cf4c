import { tableOf } from '~/core/table';

/** Latitude and longitude of the capital of each state, in degrees, by the short name of the state. */
const ESTADOS: Readonly<Record<string, readonly [lat: number, lon: number]>> = tableOf({
  CMX: [19.43, -99.13],
  AGU: [21.88, -102.29],
  BCN: [32.62, -115.45],
  BCS: [24.14, -110.31],
  CAM: [19.85, -90.53],
  COA: [25.42, -101.0],
  COL: [19.24, -103.72],
  CHP: [16.75, -93.12],
  CHH: [28.63, -106.09],
  DUR: [24.02, -104.65],
  GUA: [21.02, -101.26],
  GRO: [17.55, -99.5],
  HID: [20.12, -98.73],
  JAL: [20.67, -103.35],
  MEX: [19.29, -99.66],
  MIC: [19.7, -101.19],
  MOR: [18.92, -99.23],
  NAY: [21.5, -104.89],
  NLE: [25.69, -100.32],
  OAX: [17.07, -96.72],
  PUE: [19.04, -98.21],
  QUE: [20.59, -100.39],
  ROO: [18.5, -88.3],
  SLP: [22.15, -100.98],
  SIN: [24.81, -107.39],
  SON: [29.07, -110.95],
  TAB: [17.99, -92.93],
  TAM: [23.74, -99.15],
  TLA: [19.31, -98.24],
  VER: [19.54, -96.91],
  YUC: [20.97, -89.62],
  ZAC: [22.77, -102.57],
});

/** Last two-digit prefix of the postal codes of each state, in their order. */
const HASTA: readonly (readonly [number, string])[] = [
  [16, 'CMX'],
  [20, 'AGU'],
  [22, 'BCN'],
  [23, 'BCS'],
  [24, 'CAM'],
  [27, 'COA'],
  [28, 'COL'],
  [30, 'CHP'],
  [33, 'CHH'],
  [35, 'DUR'],
  [38, 'GUA'],
  [41, 'GRO'],
  [43, 'HID'],
  [49, 'JAL'],
  [57, 'MEX'],
  [61, 'MIC'],
  [62, 'MOR'],
  [63, 'NAY'],
  [67, 'NLE'],
  [71, 'OAX'],
  [75, 'PUE'],
  [76, 'QUE'],
  [77, 'ROO'],
  [79, 'SLP'],
  [82, 'SIN'],
  [85, 'SON'],
  [86, 'TAB'],
  [89, 'TAM'],
  [90, 'TLA'],
  [96, 'VER'],
  [97, 'YUC'],
  [99, 'ZAC'],
];

/** Returns the state of a postal code; null when the text is no postal code. */
export function estadoOfCp(cp: string): string | null {
  if (!/^\d{5}$/.test(cp) || cp === '00000') return null;
  const first = Number(cp.slice(0, 2));
  return HASTA.find(([hasta]) => first <= hasta)?.[1] ?? null;
}

/** Words in the names that suppliers give their warehouses, with the place each means. Whole words are compared, and the longer name stands first. */
const PLAZAS: readonly (readonly [string, readonly [number, number]])[] = [
  ['CIUDAD OBREGON', [27.48, -109.93]],
  ['CD OBREGON', [27.48, -109.93]],
  ['OBREGON', [27.48, -109.93]],
  ['LOS MOCHIS', [25.79, -108.99]],
  ['MAZATLAN', [23.25, -106.41]],
  ['CULIACAN', ESTADOS.SIN!],
  ['HERMOSILLO', ESTADOS.SON!],
  ['HERMOSILO', ESTADOS.SON!],
  ['DURANGO', ESTADOS.DUR!],
  ['TORREON', [25.54, -103.42]],
  ['SALTILLO', ESTADOS.COA!],
  ['CHIHUAHUA', ESTADOS.CHH!],
  ['JUAREZ', [31.69, -106.42]],
  ['TIJUANA', [32.53, -117.02]],
  ['MEXICALI', ESTADOS.BCN!],
  ['LA PAZ', ESTADOS.BCS!],
  ['AGUASCALIENTES', ESTADOS.AGU!],
  ['QUERETARO', ESTADOS.QUE!],
  ['QUE', ESTADOS.QUE!],
  ['SAN LUIS POTOSI', ESTADOS.SLP!],
  ['LEON', [21.12, -101.68]],
  ['IRAPUATO', [20.68, -101.35]],
  ['CELAYA', [20.52, -100.81]],
  ['GUADALAJARA', ESTADOS.JAL!],
  ['GDL', ESTADOS.JAL!],
  ['MORELIA', ESTADOS.MIC!],
  ['URUAPAN', [19.42, -102.05]],
  ['XALAPA', ESTADOS.VER!],
  ['VERACRUZ', [19.17, -96.13]],
  ['VER', [19.17, -96.13]],
  ['COATZACOALCOS', [18.14, -94.45]],
  ['COLIMA', ESTADOS.COL!],
  ['TAMPICO', [22.25, -97.86]],
  ['CIUDAD VICTORIA', ESTADOS.TAM!],
  ['CD VICTORIA', ESTADOS.TAM!],
  ['PUEBLA', ESTADOS.PUE!],
  ['PUE', ESTADOS.PUE!],
  ['VILLAHERMOSA', ESTADOS.TAB!],
  ['TUXTLA', ESTADOS.CHP!],
  ['MONTERREY', ESTADOS.NLE!],
  ['MTY', ESTADOS.NLE!],
  ['TEPIC', ESTADOS.NAY!],
  ['MERIDA', ESTADOS.YUC!],
  ['MER', ESTADOS.YUC!],
  ['OAXACA', ESTADOS.OAX!],
  ['CUERNAVACA', ESTADOS.MOR!],
  ['TOLUCA', ESTADOS.MEX!],
  ['PACHUCA', ESTADOS.HID!],
  ['CANCUN', [21.16, -86.85]],
  ['ZACATECAS', ESTADOS.ZAC!],
  ['ACAPULCO', [16.86, -99.88]],
  ['TLAXCALA', ESTADOS.TLA!],
  ['CAMPECHE', ESTADOS.CAM!],
  ['TLALNEPANTLA', ESTADOS.CMX!],
  ['COACALCO', ESTADOS.CMX!],
  ['AZCAPOTZALCO', ESTADOS.CMX!],
  ['ACOXPA', ESTADOS.CMX!],
  ['PALACIO DE LOS DEPORTES', ESTADOS.CMX!],
  ['CDMX', ESTADOS.CMX!],
  ['DF', ESTADOS.CMX!],
  ['MEXICO', ESTADOS.CMX!],
];

const TIERRA_KM = 6_371;
const rad = (degrees: number) => (degrees * Math.PI) / 180;

function kmEntre([latA, lonA]: readonly [number, number], [latB, lonB]: readonly [number, number]): number {
  const [dLat, dLon] = [rad(latB - latA), rad(lonB - lonA)];
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(rad(latA)) * Math.cos(rad(latB)) * Math.sin(dLon / 2) ** 2;
  return 2 * TIERRA_KM * Math.asin(Math.sqrt(h));
}

/**
 * Returns the kilometres in a straight line from a warehouse, by its supplier's name for it, to the capital of a state. Null when the name tells no
 * place that we know.
 */
export function distanciaOf(almacen: string, estado: string): number | null {
  const to = ESTADOS[estado];
  const name = ` ${almacen
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, ' ')} `;
  const from = PLAZAS.find(([place]) => name.includes(` ${place} `))?.[1];
  return to && from ? Math.round(kmEntre(from, to)) : null;
}
