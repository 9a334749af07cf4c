import { expect, test } from 'vitest';
import { guessOfLineas, partesOfLineas } from '~/platform/direccion/lineas';

const leer = (...lineas: (string | null)[]) => {
  const { calle, numeroE, numeroI, colonia, resto } = partesOfLineas(lineas);
  return [calle, numeroE, numeroI, colonia, resto.join(' | ')];
};

test.each<[string[], ReturnType<typeof leer>]>([
  [
    ['Calle Ficticia 120', 'Col. Ejemplo'],
    ['Calle Ficticia', '120', null, 'Ejemplo', ''],
  ],
  [['Av. Insurgentes Sur 1457 Int 302'], ['Av. Insurgentes Sur', '1457', '302', null, '']],
  [['Av. de Prueba 450 Int. 3'], ['Av. de Prueba', '450', '3', null, '']],
  [['Calle 5 #12-B'], ['Calle 5', '12-B', null, null, '']],
  [
    ['Calle 60 501', 'Colonia Centro'],
    ['Calle 60', '501', null, 'Centro', ''],
  ],
  [['C. Niños Héroes Ext. 12-B int 3, Col. Centro'], ['C. Niños Héroes', '12-B', '3', 'Centro', '']],
  [
    ['20 de Noviembre 1045', 'Depto azul', 'Fracc. Las Torres'],
    ['20 de Noviembre', '1045', null, 'Las Torres', 'Depto azul'],
  ],
  [
    ['Privada del Roble No. 7', 'Portón negro'],
    ['Privada del Roble', '7', null, null, 'Portón negro'],
  ],
  [
    ["O'Farrill s/n", 'colonia Peña Pobre'],
    ["O'Farrill", 'S/N', null, 'Peña Pobre', ''],
  ],
  [['Calle 16 de Septiembre 1'], ['Calle 16 de Septiembre', '1', null, null, '']],
  [['Calle 5 Sur 301'], ['Calle 5 Sur', '301', null, null, '']],
  [['Av. Colón 33 A'], ['Av. Colón', '33A', null, null, '']],
  [['Reforma 222, piso 9'], ['Reforma', '222', '9', null, '']],
])('%j is told apart', (lineas, partes) => expect(leer(...lineas)).toEqual(partes));

test.each<[string[], string]>([
  [['Calle 5'], 'Calle 5'],
  [['Avenida 16'], 'Avenida 16'],
  [['Insurgentes Sur 1457 302'], 'Insurgentes Sur 1457 302'],
  [['Carretera a Chapala km 14'], 'Carretera a Chapala km 14'],
  [['Mz 3 Lt 12'], 'Mz 3 Lt 12'],
  [['Los Pinos entre 4 y 6'], 'Los Pinos entre 4 y 6'],
  [['Domicilio conocido'], 'Domicilio conocido'],
  [['Roble 7 Casa 14'], 'Roble 7 Casa 14'],
  [['Roble #7 Casa 4'], 'Roble #7 Casa 4'],
  [['Roble 7 Edificio 3'], 'Roble 7 Edificio 3'],
  [['Roble 7 Torre 2'], 'Roble 7 Torre 2'],
  [['Roble 7 Sección 16'], 'Roble 7 Sección 16'],
  [['Roble 7 CP 03100'], 'Roble 7 CP 03100'],
  [['Roble #7 #3'], 'Roble #7 #3'],
  [['Roble 7 Col. Sector 2'], 'Roble 7 Col. Sector 2'],
  [['Casa 14'], 'Casa 14'],
  [['Edificio 12'], 'Edificio 12'],
  [['SM 45'], 'SM 45'],
  [['Norte 45'], 'Norte 45'],
  [['Blvd. 2000'], 'Blvd. 2000'],

  [['120'], '120'],
])('the house of %j is not guessed', (lineas, calle) => expect(leer(...lineas)).toEqual([calle, null, null, null, '']));

test('a neighbourhood that is not said to be one is not guessed, and two are for a person', () => {
  expect(leer('Roble 7', 'Centro')).toEqual(['Roble', '7', null, null, 'Centro']);
  expect(leer('Roble 7', 'Col. Centro', 'Col. Juárez')).toEqual([
    'Roble',
    '7',
    null,
    null,
    'Col. Centro | Col. Juárez',
  ]);
  expect(leer(null, '')).toEqual([null, null, null, null, '']);
  expect(leer('Colima 12')).toEqual(['Colima', '12', null, null, '']);
});

const COLONIAS = ['Centro', 'Roma Norte', 'Peña Pobre'];

test.each<[string[], ReturnType<typeof leer>]>([
  [['Insurgentes Sur 1457 302'], ['Insurgentes Sur', '1457', '302', null, '']],
  [['Roble #7 #3'], ['Roble', '7', '3', null, '']],
  [['Roble 7 Casa 14'], ['Roble', '7', 'Casa 14', null, '']],
  [['Roble 7 CP 03100'], ['Roble', '7', null, null, 'CP 03100']],
  [['Carretera a Chapala km 14'], ['Carretera a Chapala', 'km 14', null, null, '']],
  [['Roble Mz 3 Lt 12'], ['Roble', 'Mz 3 Lt 12', null, null, '']],
  [['Mz 3 Lt 12'], [null, 'Mz 3 Lt 12', null, null, '']],
  [
    ['Los Pinos 8 entre 4 y 6', 'Portón negro'],
    ['Los Pinos', '8', null, null, 'entre 4 y 6 | Portón negro'],
  ],
  [['Roble 7 B, roma norte'], ['Roble', '7B', null, 'Roma Norte', '']],
  [['Roble 7 Pena Pobre'], ['Roble', '7', null, 'Peña Pobre', '']],
  [
    ['Roble 7', 'CENTRO', 'Portón negro'],
    ['Roble', '7', null, 'Centro', 'Portón negro'],
  ],
  [
    ['Roble 7', 'Col. Centro', 'Col. Juárez'],
    ['Roble', '7', null, 'Centro', 'Col. Juárez'],
  ],
  [['Calle 5'], ['Calle 5', null, null, null, '']],
  [['Domicilio conocido'], ['Domicilio conocido', null, null, null, '']],
  [['Centro'], ['Centro', null, null, null, '']],
])('%j is guessed for a person to confirm', (lineas, partes) => {
  const { calle, numeroE, numeroI, colonia, resto } = guessOfLineas(lineas, COLONIAS);
  expect([calle, numeroE, numeroI, colonia, resto.join(' | ')]).toEqual(partes);
});

test('the only neighbourhood of a postal code is guessed, and plain parts are never guessed anew', () => {
  expect(guessOfLineas(['Roble 7'], ['Centro'])).toMatchObject({ numeroE: '7', colonia: 'Centro' });
  expect(guessOfLineas(['Roble 7', 'Col. Juárez'], ['Centro'])).toMatchObject({ numeroE: '7', colonia: 'Juárez' });
  expect(guessOfLineas([null, ''], [])).toEqual({
    calle: null,
    numeroE: null,
    numeroI: null,
    colonia: null,
    resto: [],
  });
});
