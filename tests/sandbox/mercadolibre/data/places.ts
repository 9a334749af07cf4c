/** A place where buyers live. State code and name are written as Mercado Libre does. */
export interface Place {
  stateId: string;
  state: string;
  cityId: string;
  city: string;
  zip: string;
  colonia: string;
  latitude: number;
  longitude: number;
}

const ROWS: [string, string, string, string, string, number, number][] = [
  ['MX-JAL', 'Jalisco', 'Guadalajara', '44100', 'Centro', 20.67, -103.34],
  ['MX-JAL', 'Jalisco', 'Zapopan', '45050', 'Ciudad del Sol', 20.65, -103.4],
  ['MX-DIF', 'Distrito Federal', 'Cuauhtémoc', '06700', 'Roma Norte', 19.42, -99.16],
  ['MX-DIF', 'Distrito Federal', 'Gustavo A. Madero', '07730', 'Panamericana', 19.49, -99.14],
  ['MX-DIF', 'Distrito Federal', 'Benito Juárez', '03100', 'Del Valle Centro', 19.38, -99.17],
  ['MX-DIF', 'Distrito Federal', 'Iztapalapa', '09000', 'Barrio San Lucas', 19.36, -99.09],
  ['MX-MEX', 'Estado De México', 'Naucalpan de Juárez', '53100', 'Ciudad Satélite', 19.51, -99.23],
  ['MX-MEX', 'Estado De México', 'Toluca', '50000', 'Centro', 19.29, -99.65],
  ['MX-MEX', 'Estado De México', 'Metepec', '52140', 'La Asunción', 19.26, -99.6],
  ['MX-NLE', 'Nuevo León', 'Monterrey', '64000', 'Centro', 25.67, -100.31],
  ['MX-NLE', 'Nuevo León', 'San Pedro Garza García', '66220', 'Del Valle', 25.65, -100.36],
  ['MX-PUE', 'Puebla', 'Puebla', '72000', 'Centro', 19.04, -98.2],
  ['MX-QUE', 'Querétaro', 'Querétaro', '76000', 'Centro', 20.59, -100.39],
  ['MX-GUA', 'Guanajuato', 'León', '37000', 'León de los Aldama Centro', 21.12, -101.68],
  ['MX-GUA', 'Guanajuato', 'Celaya', '38000', 'Zona Centro', 20.52, -100.81],
  ['MX-AGU', 'Aguascalientes', 'Aguascalientes', '20000', 'Zona Centro', 21.88, -102.29],
  ['MX-CHH', 'Chihuahua', 'Chihuahua', '31000', 'Centro', 28.63, -106.08],
  ['MX-SON', 'Sonora', 'Hermosillo', '83000', 'Hermosillo Centro', 29.08, -110.96],
  ['MX-BCN', 'Baja California', 'Tijuana', '22000', 'Zona Centro', 32.53, -117.04],
  ['MX-YUC', 'Yucatán', 'Mérida', '97000', 'Mérida Centro', 20.97, -89.62],
  ['MX-ROO', 'Quintana Roo', 'Cancún', '77500', 'Supermanzana 22', 21.16, -86.83],
  ['MX-VER', 'Veracruz', 'Xalapa', '91000', 'Xalapa Enríquez Centro', 19.53, -96.92],
  ['MX-VER', 'Veracruz', 'Veracruz', '91700', 'Veracruz Centro', 19.2, -96.13],
  ['MX-SLP', 'San Luis Potosí', 'San Luis Potosí', '78000', 'Centro Histórico', 22.15, -100.98],
  ['MX-SIN', 'Sinaloa', 'Culiacán', '80000', 'Centro', 24.81, -107.39],
  ['MX-COA', 'Coahuila', 'Torreón', '27000', 'Torreón Centro', 25.54, -103.45],
  ['MX-TAB', 'Tabasco', 'Villahermosa', '86000', 'Villahermosa Centro', 17.99, -92.93],
  ['MX-MIC', 'Michoacán', 'Morelia', '58000', 'Morelia Centro', 19.7, -101.19],
  ['MX-DUR', 'Durango', 'Durango', '34000', 'Victoria de Durango Centro', 24.02, -104.67],
  ['MX-OAX', 'Oaxaca', 'Oaxaca de Juárez', '68000', 'Centro', 17.06, -96.72],
  ['MX-MOR', 'Morelos', 'Cuernavaca', '62000', 'Cuernavaca Centro', 18.92, -99.23],
];

/** An opaque id in base64, as Mercado Libre's ids of places are. */
const opaque = (text: string) => Buffer.from(text).toString('base64').replaceAll('=', '');

export const PLACES: Place[] = ROWS.map(([stateId, state, city, zip, colonia, latitude, longitude], index) => ({
  stateId,
  state,
  city,
  zip,
  colonia,
  latitude,
  longitude,
  cityId: opaque(`MLMC${city.slice(0, 3).toUpperCase()}${1000 + index * 37}`),
}));

export const STREETS = [
  'Av. Insurgentes',
  'Calle Hidalgo',
  'Calle 5 de Mayo',
  'Av. Juárez',
  'Privada de los Nogales',
  'Calle Niños Héroes',
  'Blvd. Adolfo López Mateos',
  'Calle Morelos',
  'Av. Revolución',
  'Cerrada del Peñón',
  'Calle Vicente Guerrero',
  'Av. de las Américas',
  'Callejón del Ángel',
  'Calle Río Lerma',
] as const;

export const FIRST_NAMES = [
  'José',
  'María',
  'Luis',
  'Guadalupe',
  'Juan Carlos',
  'Ana Paula',
  'Miguel Ángel',
  'Verónica',
  'Francisco',
  'Alejandra',
  'Jesús',
  'Daniela',
  'Iñaki',
  'Leticia',
  'Raúl',
  'Mónica',
  'Óscar',
  'Beatriz',
  'Ramón',
  'Sofía',
  'Héctor',
  'Ximena',
  'Ulises',
  'Araceli',
  'Germán',
  'Lucía',
] as const;

export const LAST_NAMES = [
  'Hernández',
  'García',
  'Martínez',
  'López',
  'González',
  'Pérez',
  'Rodríguez',
  'Sánchez',
  'Ramírez',
  'Cruz',
  'Flores',
  'Gómez',
  'Morales',
  'Vázquez',
  'Jiménez',
  'Reyes',
  'Díaz',
  'Torres',
  'Gutiérrez',
  'Ruiz',
  'Mendoza',
  'Aguilar',
  'Ortiz',
  'Núñez',
  'Castillo',
  'Peña',
  'Treviño',
  'Ibáñez',
  'Zúñiga',
  'Bañuelos',
] as const;
