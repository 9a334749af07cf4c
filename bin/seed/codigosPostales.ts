/**
 * Postal codes of the demo: a small set by hand, where the sandbox's buyers and taxpayers live. The official file
 * replaces the set (`npm run sepomex`).
 */
import type { Db } from '../../db/client.server';

/** Rows of cp, estado, municipio, ciudad, colonias. */
const LUGARES: [string, string, string, string, ...string[]][] = [
  ['03100', 'Ciudad de México', 'Benito Juárez', 'Ciudad de México', 'Del Valle Centro', 'Insurgentes San Borja'],
  ['03810', 'Ciudad de México', 'Benito Juárez', 'Ciudad de México', 'Nápoles'],
  ['06500', 'Ciudad de México', 'Cuauhtémoc', 'Ciudad de México', 'Cuauhtémoc'],
  ['06600', 'Ciudad de México', 'Cuauhtémoc', 'Ciudad de México', 'Juárez'],
  ['06700', 'Ciudad de México', 'Cuauhtémoc', 'Ciudad de México', 'Roma Norte'],
  ['07730', 'Ciudad de México', 'Gustavo A. Madero', 'Ciudad de México', 'Montevideo', 'San Bartolo Atepehuacan'],
  ['09000', 'Ciudad de México', 'Iztapalapa', 'Ciudad de México', 'San Lucas', 'La Asunción'],
  [
    '11000',
    'Ciudad de México',
    'Miguel Hidalgo',
    'Ciudad de México',
    'Lomas de Chapultepec I Sección',
    'Lomas de Chapultepec II Sección',
  ],
  ['15900', 'Ciudad de México', 'Venustiano Carranza', 'Ciudad de México', 'Jardín Balbuena'],
  ['20000', 'Aguascalientes', 'Aguascalientes', 'Aguascalientes', 'Aguascalientes Centro'],
  ['22000', 'Baja California', 'Tijuana', 'Tijuana', 'Zona Centro', 'Zona Norte'],
  ['25000', 'Coahuila de Zaragoza', 'Saltillo', 'Saltillo', 'Saltillo Zona Centro'],
  ['27000', 'Coahuila de Zaragoza', 'Torreón', 'Torreón', 'Torreón Centro'],
  ['31000', 'Chihuahua', 'Chihuahua', 'Chihuahua', 'Chihuahua Centro'],
  ['34000', 'Durango', 'Durango', 'Victoria de Durango', 'Victoria de Durango Centro'],
  ['37000', 'Guanajuato', 'León', 'León de los Aldama', 'Centro'],
  ['38000', 'Guanajuato', 'Celaya', 'Celaya', 'Celaya Centro'],
  ['44100', 'Jalisco', 'Guadalajara', 'Guadalajara', 'Guadalajara Centro'],
  ['44600', 'Jalisco', 'Guadalajara', 'Guadalajara', 'Ladrón de Guevara'],
  ['45050', 'Jalisco', 'Zapopan', 'Zapopan', 'Ciudad Del Sol', 'Jardines Del Sol'],
  ['50000', 'Estado de México', 'Toluca', 'Toluca de Lerdo', 'Toluca de Lerdo Centro'],
  ['52140', 'Estado de México', 'Metepec', 'Metepec', 'La Asunción', 'Espíritu Santo'],
  ['53100', 'Estado de México', 'Naucalpan de Juárez', 'Naucalpan de Juárez', 'Ciudad Satélite'],
  ['54000', 'Estado de México', 'Tlalnepantla de Baz', 'Tlalnepantla', 'Tlalnepantla Centro'],
  ['54700', 'Estado de México', 'Cuautitlán Izcalli', 'Cuautitlán Izcalli', 'Centro Urbano'],
  ['58000', 'Michoacán de Ocampo', 'Morelia', 'Morelia', 'Centro Histórico'],
  ['62000', 'Morelos', 'Cuernavaca', 'Cuernavaca', 'Cuernavaca Centro'],
  ['64000', 'Nuevo León', 'Monterrey', 'Monterrey', 'Monterrey Centro'],
  ['64650', 'Nuevo León', 'Monterrey', 'Monterrey', 'Colinas de San Jerónimo'],
  ['66220', 'Nuevo León', 'San Pedro Garza García', 'San Pedro Garza García', 'Del Valle', 'Jardines Del Valle'],
  ['68000', 'Oaxaca', 'Oaxaca de Juárez', 'Oaxaca de Juárez', 'Oaxaca Centro'],
  ['72000', 'Puebla', 'Puebla', 'Heroica Puebla de Zaragoza', 'Centro'],
  ['76000', 'Querétaro', 'Querétaro', 'Santiago de Querétaro', 'Centro'],
  ['77500', 'Quintana Roo', 'Benito Juárez', 'Cancún', 'Cancún Centro'],
  ['78000', 'San Luis Potosí', 'San Luis Potosí', 'San Luis Potosí', 'San Luis Potosí Centro'],
  ['80000', 'Sinaloa', 'Culiacán', 'Culiacán Rosales', 'Centro'],
  ['82000', 'Sinaloa', 'Mazatlán', 'Mazatlán', 'Centro'],
  ['83000', 'Sonora', 'Hermosillo', 'Hermosillo', 'Hermosillo Centro'],
  ['86000', 'Tabasco', 'Centro', 'Villahermosa', 'Villahermosa Centro'],
  ['91000', 'Veracruz de Ignacio de la Llave', 'Xalapa', 'Xalapa-Enríquez', 'Xalapa Enríquez Centro'],
  ['91700', 'Veracruz de Ignacio de la Llave', 'Veracruz', 'Veracruz', 'Veracruz Centro'],
  ['97000', 'Yucatán', 'Mérida', 'Mérida', 'Mérida Centro', 'Los Cocos'],
];

/** Seeds an empty table only: codes of the official file are never mixed with this set. */
export async function seedCodigosPostales(db: Db): Promise<void> {
  if (await db.selectFrom('codigoPostal').select('cp').limit(1).executeTakeFirst()) return;
  const rows = LUGARES.flatMap(([cp, estado, municipio, ciudad, ...colonias]) =>
    colonias.map((asentamiento) => ({
      cp,
      estado,
      municipio,
      ciudad,
      asentamiento,
      tipo: 'Colonia',
      origen: 'demo' as const,
    })),
  );
  await db
    .insertInto('codigoPostal')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
